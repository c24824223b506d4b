import OpenCoreData
import TestSupport
import Testing

@Entity final class Reel: NSManagedObject {
    var label: String
    var length: Int32?
    @Relationship(deleteRule: .cascade, inverse: \Frame.reel) var frames: Set<Frame>
}

@Entity final class Frame: NSManagedObject {
    var number: Int
    var caption: String
    var reel: Reel
}

/// Small stores of reels and frames, to be damaged.
enum Reels {
    static func container(at url: URL, options: [String: NSObject] = [:]) throws -> NSPersistentContainer {
        let container = try NSPersistentContainer(name: "Reels", entities: Reel.self, Frame.self)
        let description = NSPersistentStoreDescription(url: url)
        for (key, value) in options { description.setOption(value, forKey: key) }
        container.persistentStoreDescriptions = [description]
        return container
    }

    /// A store with three reels of `frames` frames each, closed.
    @discardableResult
    static func make(in folder: TemporaryFolder, frames: Int = 40) throws -> URL {
        let url = folder.file("Reels.sqlite")
        let container = try container(at: url)
        try container.loadPersistentStores()
        try container.newBackgroundContext().run { context in
            for name in ["a", "b", "c"] {
                let reel = Reel(context: context, label: name)
                for number in 0..<frames {
                    _ = Frame(
                        context: context, number: number, caption: "\(name) \(number) \(String(repeating: "x", count: number))",
                        reel: reel)
                }
            }
            try context.save()
        }
        try close(container)
        return url
    }

    static func close(_ container: NSPersistentContainer) throws {
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// The error of opening a store that can't be opened. Nothing may have been added, and the container must be good for another store.
    static func openingError(at url: URL, options: [String: NSObject] = [:], _ location: SourceLocation = #_sourceLocation) throws
        -> NSError
    {
        let container = try container(at: url, options: options)
        let error = #expect(throws: NSError.self, sourceLocation: location) { try container.loadPersistentStores() }
        #expect(container.persistentStoreCoordinator.persistentStores == [], sourceLocation: location)
        let told = ErrorBox()
        container.loadPersistentStores { told.error = $1 as NSError? }
        #expect(told.error?.code == error?.code, sourceLocation: location)
        try expectUsable(container, location)
        return try #require(error, sourceLocation: location)
    }

    /// Expects that the container takes another store, and that a context can save to it.
    static func expectUsable(_ container: NSPersistentContainer, _ location: SourceLocation = #_sourceLocation) throws {
        let coordinator = container.persistentStoreCoordinator
        let store = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let count = try container.newBackgroundContext().run { context in
            _ = Reel(context: context, label: "another")
            try context.save()
            return try context.count(of: Reel.self)
        }
        #expect(count == 1, sourceLocation: location)
        try coordinator.remove(store)
    }

    // @unchecked Sendable: the block that fills it runs before `loadPersistentStores` returns.
    private final class ErrorBox: @unchecked Sendable {
        var error: NSError?
    }
}

/// The files of a folder with their bytes.
struct FolderContents: Equatable {
    private let files: [String: Data]

    init(_ folder: URL) throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        files = Dictionary(names.map { ($0, (try? Data(contentsOf: folder.appendingPathComponent($0))) ?? Data()) }) { first, _ in
            first
        }
    }
}

extension NSError {
    /// The file that the error is about.
    var file: String? { userInfo[NSFilePathErrorKey] as? String }
    /// SQLite's result code.
    var sqliteCode: Int? { (userInfo[NSSQLiteErrorDomain] as? NSNumber)?.intValue }
    var details: [NSError] { userInfo[NSDetailedErrorsKey] as? [NSError] ?? [] }
}

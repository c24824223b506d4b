import OpenCoreData
import TestSupport

/// A sound store, with its model, of which attacks make copies to damage.
struct Subject {
    let name: String
    let store: URL
    let model: () throws -> NSManagedObjectModel

    /// Stores with every type of attribute and every kind of relationship, and those that Apple's framework wrote where these are at hand.
    static func all(in folder: URL) -> [Subject] {
        let own = (0..<2).map { number in
            Subject(name: "everything \(number)", store: folder.appendingPathComponent("Everything\(number).sqlite")) {
                try EverythingModel.make(in: folder)
            }
        }
        // Larger ones would make each attack take long without showing more.
        let withModels = StoreFixture.all.filter { $0.cachedModel != nil || $0.sourceModel != nil }
        let foreign = withModels.filter {
            ((try? $0.store.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0) < 600_000
        }
        return own
            + foreign.map { fixture in
                Subject(name: fixture.name, store: fixture.store) {
                    let model = try fixture.model()
                    for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
                    return model
                }
            }
    }

    /// Makes the own stores.
    static func prepare(in folder: URL) throws {
        try EverythingModel.write(in: folder)
        for number in 0..<2 {
            try EverythingModel.fill(
                folder.appendingPathComponent("Everything\(number).sqlite"), in: folder, hasExternalFiles: number == 1)
        }
    }

    /// Copies the store with all that lies beside it.
    func copy(to folder: URL) throws -> URL {
        let manager = FileManager.default
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        let target = folder.appendingPathComponent("Store.sqlite")
        for suffix in ["", "-wal"] where manager.fileExists(atPath: store.path + suffix) {
            try Data(contentsOf: URL(fileURLWithPath: store.path + suffix)).write(to: URL(fileURLWithPath: target.path + suffix))
        }
        let support = store.deletingLastPathComponent().appendingPathComponent(
            ".\(store.deletingPathExtension().lastPathComponent)_SUPPORT")
        if manager.fileExists(atPath: support.path) {
            try manager.copyItem(at: support, to: folder.appendingPathComponent(".Store_SUPPORT"))
        }
        return target
    }
}

extension NSManagedObjectContext {
    /// Runs on the context's queue and waits: the body's captures are used by one thread at a time.
    func run<T>(_ body: @escaping (NSManagedObjectContext) throws -> T) rethrows -> T {
        nonisolated(unsafe) let body = body
        return try performAndWait { try body(self) }
    }
}

import DataModel
import Foundation
import MemoryStorage
import SQLiteStorage
import Storage
import Synchronization

/// The kinds of stores. No other file of the object graph knows an engine.
enum StoreKinds {
    static let builtIn: [any StoreKind] = [
        SQLiteStoreKind(type: NSSQLiteStoreType), MemoryStoreKind(type: NSInMemoryStoreType),
        RegisteredStoreKind(type: NSXMLStoreType, storeClass: AtomicFileStore.self, format: XMLStoreFormat()),
        RegisteredStoreKind(type: NSBinaryStoreType, storeClass: AtomicFileStore.self, format: BinaryStoreFormat()),
    ]

    private static let registered = Mutex<[String: RegisteredStoreKind]>([:])

    /// The built-in kinds, and those that the program has registered, which come before built-in ones of the same type.
    static var all: [any StoreKind] {
        let own = registered.withLock { $0 }
        return builtIn.filter { own[$0.type] == nil } + own.values.sorted { $0.type < $1.type }
    }

    /// - Parameter storeClass: Nil to take the type away.
    static func register(_ storeClass: NSPersistentStore.Type?, _ type: String) {
        registered.withLock { $0[type] = storeClass.map { RegisteredStoreKind(type: type, storeClass: $0) } }
    }

    /// - Throws: 134000 for an unknown type.
    static func kind(_ type: String) throws -> any StoreKind {
        let all = all
        if let kind = all.first(where: { $0.type == type }) { return kind }
        throw NSError.coreData(
            NSPersistentStoreInvalidTypeError,
            "“\(type)” is not a type of stores. The types are: \(all.map(\.type).joined(separator: ", ")). "
                + "NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:) adds one of your own")
    }

    /// What can be done with files of a type of stores.
    /// - Throws: 134000 for an unknown type, and for one whose stores have no files.
    static func files(_ type: String) throws -> any StoreFiles {
        if let files = try kind(type).files { return files }
        let others = all.filter { $0.files != nil }.map(\.type).joined(separator: ", ")
        throw NSError.coreData(
            NSPersistentStoreInvalidTypeError, "Stores of the type “\(type)” have no files. Types with files: \(others)")
    }

    /// An engine that keeps rows in memory, for stores that are in memory as a whole.
    static func makeMemoryEngine(_ place: StorePlace) -> any StorageEngine {
        InMemoryEngine(model: place.model, layout: place.layout)
    }

    /// The error for what stores of a type don't do: 134091.
    ///
    /// - Parameters:
    ///   - what: What can't be done, as the beginning of a sentence.
    ///   - reason: Why not; nil if that is the nature of such stores.
    static func unsupported(_ what: String, type: String, reason: String? = nil, _ userInfo: [String: Any] = [:]) -> NSError {
        .coreData(
            NSPersistentStoreUnsupportedRequestTypeError,
            "\(what): stores of the type “\(type)” don't do that" + (reason.map { ", because \($0)" } ?? ""), userInfo)
    }
}

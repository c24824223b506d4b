import DataModel
import Foundation
import MemoryStorage
import SQLiteStorage
import Storage

/// The kinds of stores. No other file of the object graph knows an engine.
enum StoreKinds {
    static let builtIn: [any StoreKind] = [
        SQLiteStoreKind(type: NSSQLiteStoreType), MemoryStoreKind(type: NSInMemoryStoreType),
    ]

    /// - Throws: 134000 for an unknown type.
    static func kind(_ type: String) throws -> any StoreKind {
        if let kind = builtIn.first(where: { $0.type == type }) { return kind }
        throw NSError.coreData(
            NSPersistentStoreInvalidTypeError,
            "“\(type)” is not a type of stores. The types are: \(builtIn.map(\.type).joined(separator: ", "))")
    }

    /// The operations on the files of a type of store.
    /// - Throws: 134000 for an unknown type, and for a type whose stores have no files.
    static func files(_ type: String) throws -> any StoreFiles {
        if let files = try kind(type).files { return files }
        let others = builtIn.filter { $0.files != nil }.map(\.type).joined(separator: ", ")
        throw NSError.coreData(
            NSPersistentStoreInvalidTypeError, "Stores of the type “\(type)” have no files. Types with files: \(others)")
    }
}

import DataModel
import Foundation
package import Storage

/// SQLite files in the layout of Apple's Core Data.
package struct SQLiteStoreKind: StoreKind {
    package let type: String
    package var files: (any StoreFiles)? { SQLiteStoreFiles() }

    /// - Parameter type: The name that Core Data's API has for it.
    package init(type: String) { self.type = type }

    package func open(_ place: StorePlace) throws -> any StorageEngine {
        guard let url = place.url else {
            throw NSError.coreData(
                NSPersistentStoreInvalidTypeError,
                "An SQLite store needs a URL: that of a file, or /dev/null for a store in memory")
        }
        return try SQLiteEngine(url: url, model: place.model, layout: place.layout, options: place.settings)
    }

    /// By the file's tables; nil as well if the file's version hashes were computed here, and so tell it themselves.
    package func fits(_ layout: ModelLayout, metadata: [String: Any]) -> Bool? {
        guard metadata[StoreMetadata.ownHashesKey] == nil,
            let schema = FileSchema(fingerprint: metadata[StoreMetadata.tablesKey]), !schema.wasMadeHere
        else { return nil }
        guard let fitted = try? StoreCompatibility(layout, schema) else { return false }
        return fitted.mapping != nil && fitted.differences.isEmpty
    }
}

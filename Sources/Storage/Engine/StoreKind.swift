package import DataModel
package import Foundation

/// A kind of stores: opens them, and says what can be done with their files.
///
/// The object graph has a table of the kinds and knows no other engine. A new engine is a `StoreKind` in that
/// table.
package protocol StoreKind: Sendable {
    /// The name of the kind, such as "SQLite": the type that programs add stores of.
    var type: String { get }

    /// What can be done with the files of closed stores; nil for kinds whose stores have none.
    var files: (any StoreFiles)? { get }

    /// Opens a store, or makes one where there is none.
    ///
    /// - Throws: `NSError`s as Core Data's API has them; nothing is left behind then.
    func open(_ place: StorePlace) throws -> any StorageEngine

    /// Whether a model fits the store that has some metadata, so that the store can be opened with it.
    ///
    /// - Returns: Nil if the metadata don't tell.
    func fits(_ layout: ModelLayout, metadata: [String: Any]) -> Bool?
}

extension StoreKind {
    package var files: (any StoreFiles)? { nil }
    package func fits(_ layout: ModelLayout, metadata: [String: Any]) -> Bool? { nil }
}

/// What a store is opened with.
package struct StorePlace {
    /// Where it is; nil for a store in memory.
    package let url: URL?
    package let model: NSManagedObjectModel
    /// The layout of `model`.
    package let layout: ModelLayout
    package let settings: StoreSettings

    package init(url: URL?, model: NSManagedObjectModel, layout: ModelLayout, settings: StoreSettings) {
        self.url = url
        self.model = model
        self.layout = layout
        self.settings = settings
    }
}

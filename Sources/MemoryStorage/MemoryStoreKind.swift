import DataModel
package import Storage

/// Stores that keep their rows in memory.
package struct MemoryStoreKind: StoreKind {
    package let type: String

    /// - Parameter type: The name that Core Data's API has for it.
    package init(type: String) { self.type = type }

    package func open(_ place: StorePlace) -> any StorageEngine { InMemoryEngine(model: place.model, layout: place.layout) }
}

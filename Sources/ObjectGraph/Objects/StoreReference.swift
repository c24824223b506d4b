import DataModel
import Foundation
import Storage
import Synchronization

/// A reference of object IDs and registries to a store: its UUID, and the store while it is open.
///
/// `@unchecked Sendable`: the weak reference is only touched under the lock; the identifier and the table are set
/// before others than the store's opener know the reference; the rest is constant.
final class StoreReference: @unchecked Sendable {
    @exclusivity(unchecked) private(set) var identifier: String
    /// For stores that call objects by references of their own.
    @exclusivity(unchecked) private(set) var references: ReferenceTable?
    /// Whether the store is told which objects contexts have.
    @exclusivity(unchecked) private(set) var hearsOfObjects = false
    /// The number of the store in its coordinator. It is never given to another store.
    let index: Int
    private let lock = NSLock()
    private weak var openStore: NSPersistentStore?

    init(identifier: String, index: Int) {
        self.identifier = identifier
        self.index = index
    }

    /// Gives the store its UUID.
    func settle(_ identifier: String) { self.identifier = identifier }

    /// To be called before the first reference is named.
    func useReferences(of identifier: String, hearsOfObjects: Bool) {
        references = ReferenceTable.table(of: identifier)
        self.hearsOfObjects = hearsOfObjects
    }

    /// The last part of the URL of an object's ID.
    func urlText(of key: Int64, _ entity: EntityLayout, _ model: ModelLayout) -> String {
        guard let references else { return "p\(key)" }
        let owner = references.owner(of: key, root: model.entities[entity.root].name)
        return "p" + (owner?.reference.urlText ?? "\(key)")
    }

    /// The key that the last part of a URL stands for, which is percent-encoded; nil if it stands for none.
    func key(urlText: Substring, _ entity: EntityLayout, _ model: ModelLayout) -> Int64? {
        guard urlText.hasPrefix("p") else { return nil }
        let text = urlText.dropFirst()
        guard let references else { return Int64(text).flatMap { $0 > 0 ? $0 : nil } }
        return ReferenceObject(urlText: text).map {
            references.key(for: $0, entity: entity.name, root: model.entities[entity.root].name)
        }
    }

    var store: NSPersistentStore? {
        get { lock.withLock { openStore } }
        set { lock.withLock { openStore = newValue } }
    }

    /// - Throws: 134070 if the coordinator no longer has the store.
    func requireStore() throws -> NSPersistentStore {
        if let store { return store }
        throw NSError.coreData(
            NSPersistentStoreOperationError,
            "The store \(identifier) was removed from the coordinator, so its objects can't be read")
    }
}

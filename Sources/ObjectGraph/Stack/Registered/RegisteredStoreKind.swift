import DataModel
import Foundation
import Storage

/// A type of stores that a program has registered a class for, or a built-in one with a class of its own. The coordinator
/// makes objects of the class, which open themselves.
// @unchecked Sendable: a class is a constant.
struct RegisteredStoreKind: StoreKind, @unchecked Sendable {
    let type: String
    let storeClass: NSPersistentStore.Type
    /// The format of the files of a built-in atomic store; nil for a program's class, which has one of its own.
    var format: (any AtomicFormat)?

    var files: (any StoreFiles)? {
        format.map { AtomicStoreFiles(type: type, format: $0) } ?? RegisteredStoreFiles(kind: self)
    }

    func open(_ place: StorePlace) throws -> any StorageEngine { DetachedEngine() }

    /// By the names of the entities, for a file that Apple's framework wrote, with hashes of its own. Loading such a file finds
    /// properties that the model does not have.
    func fits(_ layout: ModelLayout, metadata: [String: Any]) -> Bool? {
        guard format != nil, metadata[StoreMetadata.typeKey] as? String == type, metadata[StoreMetadata.ownHashesKey] == nil,
            let hashes = metadata[StoreMetadata.hashesKey] as? [String: Any]
        else { return nil }
        return Set(hashes.keys) == Set(layout.entities.map(\.name))
    }
}

/// What can be done with the files of a program's stores: reading and writing their metadata, by methods of their
/// class.
struct RegisteredStoreFiles: StoreFiles {
    let kind: RegisteredStoreKind

    func file(at url: URL) -> URL? { url.isFileURL && url.path != "/dev/null" ? url : nil }
    func metadata(of url: URL) throws -> [String: Any] { try kind.storeClass.metadataForPersistentStore(with: url) }

    func readCachedModel(of url: URL, into model: NSManagedObjectModel) throws {
        throw StoreKinds.unsupported("The model of a store can't be read", type: kind.type)
    }

    func setMetadata(_ metadata: [String: Any], of url: URL, settings: StoreSettings) throws {
        try kind.storeClass.setMetadata(metadata, forPersistentStoreAt: url)
    }

    func destroy(_ url: URL, settings: StoreSettings) throws { try refuse("destroyed") }

    func replace(_ url: URL, settings: StoreSettings, with source: URL, sourceSettings: StoreSettings) throws {
        try refuse("replaced")
    }

    func requireNothing(at url: URL, settings: StoreSettings) throws { try refuse("made as the copy of another one") }
    func removeFiles(at url: URL, settings: StoreSettings) throws {}

    /// - Throws: 134091, always.
    func refuse(_ verb: String) throws {
        throw StoreKinds.unsupported(
            "A store can't be \(verb)", type: kind.type, reason: "\(kind.storeClass) alone knows its files")
    }
}

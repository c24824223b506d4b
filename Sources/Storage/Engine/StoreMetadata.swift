package import DataModel
import Foundation

/// The metadata that every store has, in the keys of Apple's framework.
package enum StoreMetadata {
    package static let typeKey = "NSStoreType"
    package static let identifierKey = "NSStoreUUID"
    package static let hashesKey = "NSStoreModelVersionHashes"
    package static let identifiersKey = "NSStoreModelVersionIdentifiers"
    package static let hashesVersionKey = "NSStoreModelVersionHashesVersion"
    package static let frameworkVersionKey = "NSPersistenceFrameworkVersion"
    package static let digestKey = "NSStoreModelVersionHashesDigest"
    package static let checksumKey = "NSStoreModelVersionChecksumKey"
    package static let autoVacuumKey = "_NSAutoVacuumLevel"

    /// There if not all version hashes are Apple's, but some are computed in this package's own way.
    package static let ownHashesKey = "_OpenCoreDataVersionHashes"

    /// What the tables of a store file look like, in metadata that are given out. Never written.
    package static let tablesKey = "_OpenCoreDataTables"

    /// The keys that say what the store is; an application can't change them.
    package static let reservedKeys: Set<String> = [
        typeKey, identifierKey, hashesKey, hashesVersionKey, frameworkVersionKey, digestKey, checksumKey, autoVacuumKey,
        identifiersKey, ownHashesKey,
        tablesKey,
    ]

    /// The newest framework whose file style is written.
    package static let frameworkVersion = 1344

    package static func forNewStore(type: String, identifier: String, model: NSManagedObjectModel) -> [String: Any] {
        var values: [String: Any] = [
            typeKey: type, identifierKey: identifier, hashesKey: model.entityVersionHashesByName, hashesVersionKey: 3,
            identifiersKey: model.versionIdentifiers.compactMap { $0 as? String }.sorted(),
            frameworkVersionKey: frameworkVersion,
        ]
        if !model.hasKnownVersionHashes { values[ownHashesKey] = 1 }
        return values
    }
}

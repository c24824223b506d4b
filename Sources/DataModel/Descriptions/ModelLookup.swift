import Foundation

/// What a frozen model keeps ready, so that lookups cost no walk through the entities.
final class ModelLookup: Sendable {
    let entitiesByName: [String: NSEntityDescription]
    let versionHashes: [String: Data]

    init(entitiesByName: [String: NSEntityDescription]) {
        self.entitiesByName = entitiesByName
        versionHashes = entitiesByName.mapValues(\.versionHash)
    }
}

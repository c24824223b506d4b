package import DataModel
package import Foundation

/// Changes a closed store's file so that it holds a newer model.
package protocol InPlaceMigration: Sendable {
    /// What a migration would do, with rows counted. Nothing is changed.
    func plan(_ request: InPlaceMigrationRequest, of url: URL, settings: StoreSettings) throws -> MigrationPlan

    /// Does it, all or nothing.
    ///
    /// - Returns: What was done.
    func migrate(_ url: URL, _ request: InPlaceMigrationRequest, settings: StoreSettings) throws -> MigrationPlan
}

/// What a store is to be migrated from, and to.
package struct InPlaceMigrationRequest {
    package let inference: MigrationInference
    /// The layouts of the older and of the newer model.
    package let source: ModelLayout
    package let destination: ModelLayout
    /// Rows with the default values, by the index of the newer entity.
    package let defaults: [Row]
    /// Whether values that the newer model has no place for may be dropped.
    package var allowsLosingValues = true

    package init(inference: MigrationInference, source: ModelLayout, destination: ModelLayout, defaults: [Row]) {
        self.inference = inference
        self.source = source
        self.destination = destination
        self.defaults = defaults
    }
}

extension StoreFiles {
    /// What migrates files of this kind in place; nil if they are migrated by copying objects.
    package var migration: (any InPlaceMigration)? { nil }
}

public import DataModel
public import Foundation
import Storage

extension NSManagedObjectModel {
    /// Whether a store with some metadata can be opened with a configuration of the model.
    ///
    /// It can if the version hashes are the same. Apple's framework computes other hashes, in a way that is not public.
    /// For a file that it wrote, the model's entities, columns and join tables are compared with the tables of the
    /// file. The metadata list these tables under a key of their own, if they come from
    /// ``NSPersistentStoreCoordinator/metadataForPersistentStore(ofType:at:options:)`` or from an open store. What
    /// tables don't show, such as whether a value is optional, makes no difference then. Of an XML store the names of the
    /// entities are compared.
    ///
    /// Callable on every thread once the model is in use.
    ///
    /// - Parameters:
    ///   - configuration: The name of a configuration; nil for all entities.
    ///   - metadata: The metadata of a store.
    public final func isConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool {
        guard let hasSameHashes = hasVersionHashes(of: metadata, configuration: configuration) else { return false }
        if hasSameHashes { return true }
        guard let part = self.part(configuration), part.structuralProblems.isEmpty else { return false }
        let layout = ModelLayout(part)
        return StoreKinds.builtIn.contains { kind in
            // The names of entities alone say less than hashes that are known.
            !(hasKnownVersionHashes && kind is RegisteredStoreKind) && kind.fits(layout, metadata: metadata) == true
        }
    }

    /// A model of a configuration's entities alone.
    private final func part(_ configuration: String?) -> NSManagedObjectModel? {
        guard let configuration, configuration != Self.defaultConfigurationName else { return self }
        guard let copy = copy() as? NSManagedObjectModel, let entities = copy.entities(forConfigurationName: configuration) else {
            return nil
        }
        copy.entities = entities
        return copy
    }

    /// The model with which a store can be opened, from all versions among the resources of some bundles.
    ///
    /// Each version of each model is tried by itself, then all current versions as one model.
    ///
    /// - Parameters:
    ///   - bundles: Where to look; nil for the main bundle and the resources of the program's Swift packages.
    ///   - metadata: The metadata of a store.
    /// - Returns: The model; nil if none fits. What is wrong with a model that can't be read is printed to standard error.
    public class func mergedModel(from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]) -> NSManagedObjectModel? {
        let files = ModelSearch.models(in: ModelSearch.folders(of: bundles))
        let versions = files.flatMap(ModelSearch.versions).compactMap { NSManagedObjectModel(contentsOf: $0) }
        if let found = NSManagedObjectModel(byMerging: versions, forStoreMetadata: metadata) { return found }
        return mergedModel(from: bundles).flatMap { NSManagedObjectModel(byMerging: [$0], forStoreMetadata: metadata) }
    }

    /// Makes a copy of the model with which a store can be opened. If none of the models fits, it is all of them as one
    /// model, if that fits.
    ///
    /// - Parameters:
    ///   - models: They stay as they are.
    ///   - metadata: The metadata of a store.
    /// - Returns: Nil if nothing fits.
    public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
        func fits(_ model: NSManagedObjectModel) -> Bool {
            model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
        }
        if let found = models.first(where: fits) {
            self.init(byMerging: [found])
            return
        }
        let names = models.flatMap(\.entities).compactMap(\.name)
        guard models.count > 1, Set(names).count == names.count, let merged = NSManagedObjectModel(byMerging: models),
            fits(merged)
        else { return nil }
        self.init(byMerging: models)
    }
}

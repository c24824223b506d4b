package import Foundation

/// All that a fetch request asks for: what the templates of a model, fetched properties and requests have in common.
///
/// A value, so that copying a request, and keeping one unchanged, is an assignment.
package struct FetchSettings {
    package var entity: NSEntityDescription? {
        didSet { entityName = entity?.name }
    }
    /// Looked up in the model of the context that runs the request.
    package var entityName: String?
    package var predicate: NSPredicate?
    package var sortDescriptors: [NSSortDescriptor]?
    package var fetchLimit = 0
    package var fetchOffset = 0
    package var fetchBatchSize = 0
    /// Apple's number of the result type.
    package var resultType: UInt = 0
    package var includesSubentities = true
    package var includesPropertyValues = true
    package var returnsObjectsAsFaults = true
    package var includesPendingChanges = true
    package var returnsDistinctResults = false
    package var shouldRefreshRefetchedObjects = false
    package var relationshipKeyPathsForPrefetching: [String]?
    package var propertiesToFetch: [Any]?
    package var propertiesToGroupBy: [Any]?
    package var havingPredicate: NSPredicate?

    package init() {}

    /// - Parameter entityName: The name of an entity that is looked up when the request is run.
    package init(entityName: String?) { self.entityName = entityName }

    /// The same for a copy of the model.
    func replacingEntity(_ replacement: (NSEntityDescription) -> NSEntityDescription?) -> FetchSettings {
        guard let entity, let other = replacement(entity) else { return self }
        var copy = self
        copy.entity = other
        return copy
    }
}

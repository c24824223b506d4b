import DataModel
import Foundation
import ObjectGraph
import Predicates

/// Makes descriptions of fetched properties from the schemas of classes, and collects mistakes.
struct FetchedPropertyBuilder {
    let fetch: TypedFetch
    /// The entity of the fetched objects.
    let entity: NSEntityDescription
    private(set) var problems: [String] = []

    init(_ fetch: TypedFetch, _ entity: NSEntityDescription) {
        self.fetch = fetch
        self.entity = entity
    }

    mutating func make() -> NSFetchedPropertyDescription {
        let description = NSFetchedPropertyDescription()
        // The request has only the entity's name. The entity retains its properties, so a property that retained the entity would
        // never be deallocated.
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity.name ?? "")
        request.sortDescriptors = fetch.sortDescriptors.isEmpty ? nil : fetch.sortDescriptors
        request.fetchLimit = fetch.limit
        if let format = fetch.format {
            do {
                request.predicate = try NSPredicate(validating: format)
            } catch {
                problems.append("its format “\(format)” can't be read: \(error)")
            }
        }
        if fetch.limit < 0 { problems.append("its limit is \(fetch.limit)") }
        description.fetchRequest = request
        return description
    }

    /// Reports names that the entity does not have. Call it after all entities have their properties.
    mutating func checkNames(_ description: NSFetchedPropertyDescription) {
        let predicate = description.fetchRequest?.predicate.map(PredicateNode.init)
        var keys = predicate?.keyPaths.compactMap(\.first) ?? []
        keys += fetch.sortDescriptors.compactMap { $0.key?.prefix { $0 != "." } }.map(String.init)
        let known = Set(entity.withDescendants.flatMap(\.propertiesByName.keys)).union(["objectID", "entity", "self"])
        for key in Set(keys).sorted() where !known.contains(key) && !key.hasPrefix("@") {
            problems.append("it asks for “\(key)”, which is not a property of “\(entity.name ?? "")”")
        }
    }
}

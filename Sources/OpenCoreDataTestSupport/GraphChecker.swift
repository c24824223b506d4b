import Foundation
import OpenCoreData

/// Checks the objects of a context, using only the public API.
struct GraphChecker {
    private let entities: [NSEntityDescription]
    private let objects: [NSManagedObject]
    private let known: Set<NSManagedObject>
    private var members: [Side: Set<NSManagedObject>] = [:]
    private var problems: [GraphProblem] = []

    /// A relationship of one object.
    private struct Side: Hashable {
        let object: ObjectIdentifier
        let relationship: String
    }

    init(_ context: NSManagedObjectContext) throws {
        context.processPendingChanges()
        entities = try context.existingModel().entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
        objects = try entities.filter { $0.superentity == nil }.flatMap(context.objects)
        known = Set(objects)
    }

    mutating func check() -> [GraphProblem] {
        for object in objects {
            for (_, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key }) {
                checkRelationship(relationship, of: object)
            }
            checkValidity(object)
        }
        for entity in entities { checkConstraints(entity) }
        return problems
    }

    // MARK: Relationships

    private mutating func checkRelationship(_ relationship: NSRelationshipDescription, of object: NSManagedObject) {
        for destination in object.destinations(relationship) {
            let name = relationship.name
            guard known.contains(destination) else {
                let state = destination.isDeleted ? "is deleted" : "is not in the store"
                problems.append(GraphProblem(object, name, "leads to \(destination.place), which \(state)"))
                continue
            }
            guard let inverse = relationship.inverseRelationship else { continue }
            guard !back(destination, inverse).contains(object) else { continue }
            let what = inverse.isToMany ? "does not have this object" : "is another object, or none"
            problems.append(
                GraphProblem(object, name, "leads to \(destination.place), whose relationship “\(inverse.name)” \(what)"))
        }
    }

    /// The destinations of an object's relationship, found once.
    private mutating func back(_ object: NSManagedObject, _ relationship: NSRelationshipDescription) -> Set<NSManagedObject> {
        let side = Side(object: ObjectIdentifier(object), relationship: relationship.name)
        if let found = members[side] { return found }
        let found = Set(object.destinations(relationship))
        members[side] = found
        return found
    }

    // MARK: Values

    private mutating func checkValidity(_ object: NSManagedObject) {
        do {
            try object.isInserted ? object.validateForInsert() : object.validateForUpdate()
        } catch {
            let error = error as NSError
            let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
            for detail in details {
                let key = detail.userInfo[NSValidationKeyErrorKey] as? String
                problems.append(GraphProblem(object, key, detail.localizedDescription))
            }
        }
    }

    // MARK: Constraints

    private mutating func checkConstraints(_ entity: NSEntityDescription) {
        let inherited = Set(entity.superentity?.uniquenessConstraints.map(\.propertyNames) ?? [])
        for names in entity.uniquenessConstraints.map(\.propertyNames) where !inherited.contains(names) {
            var owners: [[AnyHashable]: NSManagedObject] = [:]
            for object in objects where object.entity.isKindOf(entity: entity) {
                let values = names.compactMap { UniqueValue.of(object.value(forKey: $0)) }
                guard values.count == names.count else { continue }
                guard let owner = owners[values] else {
                    owners[values] = object
                    continue
                }
                problems.append(
                    GraphProblem(object, names.joined(separator: ","), "has the values of \(owner.place) and must be unique"))
            }
        }
    }
}

/// Values as a uniqueness constraint compares them.
enum UniqueValue {
    /// Nil if there is no value, which is not equal to any other.
    static func of(_ value: Any?) -> AnyHashable? {
        switch value {
        case let text as String: Data(text.utf8)
        case let value as AnyHashable: value
        default: nil
        }
    }
}

extension [Any] {
    /// The names in a uniqueness constraint, which consists of names or descriptions.
    var propertyNames: [String] { compactMap { ($0 as? NSPropertyDescription)?.name ?? $0 as? String } }
}

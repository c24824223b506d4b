import Foundation
public import OpenCoreData

extension NSManagedObjectContext {
    /// Inserts the objects of fixtures. Saves nothing. Call it on the context's queue.
    ///
    /// - Parameter fixtures: the objects.
    /// - Returns: the new objects by label.
    /// - Throws: a ``TestSupportError`` that lists everything that does not fit: entities, properties and labels that
    ///   do not exist, labels that are used twice, values that are not valid. Nothing is inserted then.
    public func insert(_ fixtures: Fixtures) throws -> InsertedFixtures {
        let reader = FixtureReader(fixtures, try existingModel())
        guard reader.problems.isEmpty else { throw reader.error }
        var objects: [String: NSManagedObject] = [:]
        for item in reader.items { objects[item.label] = NSManagedObject(entity: item.entity, insertInto: self) }
        var problems: [String] = []
        for item in reader.items {
            guard let object = objects[item.label] else { continue }
            problems += item.attributes.compactMap { attribute, value in
                do {
                    var checked: Any? = value
                    try object.validateValue(&checked, forKey: attribute.name)
                    object.setValue(checked, forKey: attribute.name)
                    return nil
                } catch {
                    return "\(item.label).\(attribute.name): \(error.localizedDescription)"
                }
            }
            for (relationship, labels) in item.relationships {
                object.setDestinations(labels.compactMap { objects[$0] }, relationship)
            }
        }
        guard problems.isEmpty else {
            objects.values.forEach(delete)
            processPendingChanges()
            throw FixtureReader.error(problems)
        }
        return InsertedFixtures(objects: objects)
    }
}

extension NSManagedObject {
    /// Sets a relationship of any kind.
    func setDestinations(_ objects: [NSManagedObject], _ relationship: NSRelationshipDescription) {
        let value: Any? =
            relationship.isToMany ? (relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)) : objects.last
        setValue(value, forKey: relationship.name)
    }
}

/// Compares fixtures with a model.
private struct FixtureReader {
    struct Item {
        let label: String
        let entity: NSEntityDescription
        var attributes: [(NSAttributeDescription, Any?)] = []
        var relationships: [(NSRelationshipDescription, [String])] = []
    }

    private(set) var items: [Item] = []
    private(set) var problems: [String] = []

    var error: TestSupportError { Self.error(problems) }

    static func error(_ problems: [String]) -> TestSupportError {
        TestSupportError("The fixtures do not fit the model:\n" + problems.map { "  " + $0 }.joined(separator: "\n"))
    }

    init(_ fixtures: Fixtures, _ model: NSManagedObjectModel) {
        var owners: [String: NSEntityDescription] = [:]
        for (name, objects) in fixtures.entities {
            guard let entity = model.entitiesByName[name] else {
                problems.append("The model has no entity “\(name)”")
                continue
            }
            if entity.isAbstract { problems.append("The entity “\(name)” is abstract, so it has no objects of its own") }
            for (label, _) in objects.objects where owners.updateValue(entity, forKey: label) != nil {
                problems.append("The label “\(label)” is used twice")
            }
        }
        for (name, objects) in fixtures.entities {
            guard let entity = model.entitiesByName[name] else { continue }
            for (label, values) in objects.objects { read(values, of: Item(label: label, entity: entity), owners) }
        }
    }

    private mutating func read(_ values: FixtureValues, of item: Item, _ owners: [String: NSEntityDescription]) {
        var item = item
        var seen: Set<String> = []
        for (name, value) in values.values {
            let place = "\(item.label).\(name)"
            if !seen.insert(name).inserted { problems.append("\(place) stands twice") }
            if let attribute = item.entity.attributesByName[name] {
                switch value {
                case .none: item.attributes.append((attribute, nil))
                case .value(let value): item.attributes.append((attribute, value))
                case .text(let text): item.attributes.append((attribute, text))
                case .labels: problems.append("\(place) is an attribute; an array of labels is for relationships")
                }
            } else if let relationship = item.entity.relationshipsByName[name] {
                read(value, relationship, place, owners, into: &item)
            } else {
                problems.append("\(place): the entity “\(item.entity.name ?? "")” has no property of this name")
            }
        }
        items.append(item)
    }

    private mutating func read(
        _ value: FixtureValue, _ relationship: NSRelationshipDescription, _ place: String,
        _ owners: [String: NSEntityDescription], into item: inout Item
    ) {
        let labels: [String]
        switch value {
        case .none: labels = []
        case .text(let label): labels = [label]
        case .labels(let list): labels = list
        case .value:
            problems.append("\(place) is a relationship; its value is the label of an object, or an array of labels")
            return
        }
        if !relationship.isToMany, labels.count > 1 { problems.append("\(place) leads to one object, not to \(labels.count)") }
        for label in labels {
            guard let owner = owners[label] else {
                problems.append("\(place): no fixture has the label “\(label)”")
                continue
            }
            if let wanted = relationship.destinationEntity, !owner.isKindOf(entity: wanted) {
                problems.append("\(place): “\(label)” is of the entity “\(owner.name ?? "")”, not “\(wanted.name ?? "")”")
            }
        }
        item.relationships.append((relationship, labels))
    }
}

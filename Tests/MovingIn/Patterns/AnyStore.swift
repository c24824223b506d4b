import CoreData

/// Objects of whatever model, as editors and importers have them.
final class AnyStore {
    private let context: NSManagedObjectContext
    private var count: Int16 = 0

    init(context: NSManagedObjectContext) {
        self.context = context
    }

    func make(_ entity: NSEntityDescription) -> NSManagedObject {
        return NSManagedObject(entity: entity, insertInto: context)
    }

    /// Sets what the model requires.
    func fill(_ object: NSManagedObject, depth: Int) throws {
        guard depth < 20 else { throw CocoaError(.validationMultipleErrors) }
        count += 1
        let unique = object.entity.uniquenessConstraints.joined().compactMap { $0 as? String }
        for (name, attribute) in object.entity.attributesByName {
            let isMissing = !attribute.isOptional && object.value(forKey: name) == nil
            if isMissing || unique.contains(name) { object.setValue(sample(attribute), forKey: name) }
        }
        for (name, relationship) in object.entity.relationshipsByName where !relationship.isOptional {
            guard let destination = concrete(relationship.destinationEntity) else { continue }
            while count(object.value(forKey: name)) < max(relationship.minCount, 1) {
                let other = make(destination)
                if relationship.isOrdered {
                    object.mutableOrderedSetValue(forKey: name).add(other)
                } else if relationship.isToMany {
                    object.mutableSetValue(forKey: name).add(other)
                } else {
                    object.setValue(other, forKey: name)
                }
                try fill(other, depth: depth + 1)
            }
        }
    }

    func count(_ entity: NSEntityDescription) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>()
        request.entity = entity
        return try context.fetch(request).filter { !$0.objectID.isTemporaryID }.count
    }

    private func count(_ value: Any?) -> Int {
        if let set = value as? NSSet { return set.count }
        if let set = value as? NSOrderedSet { return set.count }
        return value == nil ? 0 : 1
    }

    private func concrete(_ entity: NSEntityDescription?) -> NSEntityDescription? {
        guard let entity = entity, entity.isAbstract else { return entity }
        return entity.subentities.lazy.compactMap { self.concrete($0) }.first
    }

    private func sample(_ attribute: NSAttributeDescription) -> Any? {
        switch attribute.attributeType {
        case .stringAttributeType: return UUID().uuidString
        case .dateAttributeType: return Date()
        case .UUIDAttributeType: return UUID()
        case .URIAttributeType: return URL(string: "https://example.org")
        case .binaryDataAttributeType: return Data([1])
        case .booleanAttributeType: return true
        case .decimalAttributeType: return NSDecimalNumber(value: 1)
        case .doubleAttributeType, .floatAttributeType: return 1.5
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: return count
        default: return NSArray(array: ["a"])
        }
    }
}

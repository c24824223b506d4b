import DataModel
import Foundation
import ObjectGraph

extension TypedSchema {
    /// Adds a required to-one relationship.
    public mutating func add<Destination: NSManagedObject>(
        _ name: String, _ type: Destination.Type, storedName: String? = nil, deleteRule: NSDeleteRule = .nullifyDeleteRule,
        inverse: String? = nil
    ) {
        add(name, storedName, type, isOptional: false, toOne(Destination.self, deleteRule, inverse))
    }

    /// Adds an optional to-one relationship.
    public mutating func add<Destination: NSManagedObject>(
        _ name: String, _ type: Destination?.Type, storedName: String? = nil, deleteRule: NSDeleteRule = .nullifyDeleteRule,
        inverse: String? = nil
    ) {
        add(name, storedName, type, isOptional: true, toOne(Destination.self, deleteRule, inverse))
    }

    /// Adds an unordered to-many relationship.
    public mutating func add<Destination: NSManagedObject>(
        _ name: String, _ type: Set<Destination>.Type, storedName: String? = nil, deleteRule: NSDeleteRule = .nullifyDeleteRule,
        inverse: String? = nil, minCount: Int = 0, maxCount: Int = 0
    ) {
        add(name, storedName, type, toMany(Destination.self, deleteRule, inverse, minCount, maxCount))
    }

    /// Adds an unordered to-many relationship whose empty set may be written as nil.
    public mutating func add<Destination: NSManagedObject>(
        _ name: String, _ type: Set<Destination>?.Type, storedName: String? = nil, deleteRule: NSDeleteRule = .nullifyDeleteRule,
        inverse: String? = nil, minCount: Int = 0, maxCount: Int = 0
    ) {
        add(name, storedName, type, toMany(Destination.self, deleteRule, inverse, minCount, maxCount))
    }

    /// Adds an ordered to-many relationship.
    public mutating func add<Destination: NSManagedObject>(
        _ name: String, _ type: [Destination].Type, storedName: String? = nil, deleteRule: NSDeleteRule = .nullifyDeleteRule,
        inverse: String? = nil, minCount: Int = 0, maxCount: Int = 0
    ) {
        add(name, storedName, type, toMany(Destination.self, isOrdered: true, deleteRule, inverse, minCount, maxCount))
    }

    /// Adds an unordered to-many relationship in the form of generated code. Its destination must be known from a model file.
    public mutating func add(_ name: String, _ type: NSSet?.Type, storedName: String? = nil) {
        add(name, storedName, type, toMany(nil))
    }

    /// Adds an unordered to-many relationship in the form of generated code. Its destination must be known from a model file.
    public mutating func add(_ name: String, _ type: NSSet.Type, storedName: String? = nil) {
        add(name, storedName, type, toMany(nil))
    }

    /// Adds an ordered to-many relationship in the form of generated code. Its destination must be known from a model file.
    public mutating func add(_ name: String, _ type: NSOrderedSet?.Type, storedName: String? = nil) {
        add(name, storedName, type, toMany(nil, isOrdered: true))
    }

    /// Adds an ordered to-many relationship in the form of generated code. Its destination must be known from a model file.
    public mutating func add(_ name: String, _ type: NSOrderedSet.Type, storedName: String? = nil) {
        add(name, storedName, type, toMany(nil, isOrdered: true))
    }

    private func toOne(_ destination: NSManagedObject.Type, _ deleteRule: NSDeleteRule, _ inverse: String?) -> TypedRelationship {
        TypedRelationship(
            destination: destination, isToMany: false, isOrdered: false, deleteRule: deleteRule, inverse: inverse, minCount: 0,
            maxCount: 1)
    }

    private func toMany(
        _ destination: NSManagedObject.Type?, isOrdered: Bool = false, _ deleteRule: NSDeleteRule = .nullifyDeleteRule,
        _ inverse: String? = nil, _ minCount: Int = 0, _ maxCount: Int = 0
    ) -> TypedRelationship {
        TypedRelationship(
            destination: destination, isToMany: true, isOrdered: isOrdered, deleteRule: deleteRule, inverse: inverse,
            minCount: minCount, maxCount: maxCount)
    }

    private mutating func add(
        _ name: String, _ storedName: String?, _ type: Any.Type, isOptional: Bool = true, _ relationship: TypedRelationship
    ) {
        properties.append(
            TypedProperty(
                name: name, storedName: storedName ?? name, type: type, isOptional: isOptional, kind: .relationship(relationship))
        )
    }
}

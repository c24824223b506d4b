import DataModel
public import Foundation
public import ObjectGraph

extension _TypedSchema {
    /// Adds a required to-one relationship.
    public mutating func add<Destination: NSManagedObject>(
        _ name: String, _ type: Destination.Type, storedName: String? = nil, settings: _RelationshipSettings = .init()
    ) {
        add(name, storedName, type, isOptional: false, to: Destination.self, settings: settings)
    }

    /// Adds an optional to-one relationship.
    public mutating func add<Destination: NSManagedObject>(
        _ name: String, _ type: Destination?.Type, storedName: String? = nil, settings: _RelationshipSettings = .init()
    ) {
        add(name, storedName, type, isOptional: true, to: Destination.self, settings: settings)
    }

    /// Adds an unordered to-many relationship.
    public mutating func add<Destination: NSManagedObject>(
        _ name: String, _ type: Set<Destination>.Type, storedName: String? = nil, settings: _RelationshipSettings = .init()
    ) {
        add(name, storedName, type, to: Destination.self, isToMany: true, settings: settings)
    }

    /// Adds an unordered to-many relationship of an optional type.
    public mutating func add<Destination: NSManagedObject>(
        _ name: String, _ type: Set<Destination>?.Type, storedName: String? = nil, settings: _RelationshipSettings = .init()
    ) {
        add(name, storedName, type, to: Destination.self, isToMany: true, settings: settings)
    }

    /// Adds an ordered to-many relationship.
    public mutating func add<Destination: NSManagedObject>(
        _ name: String, _ type: [Destination].Type, storedName: String? = nil, settings: _RelationshipSettings = .init()
    ) {
        add(name, storedName, type, to: Destination.self, isToMany: true, isOrdered: true, settings: settings)
    }

    /// Adds an unordered to-many relationship in the type that Xcode's generated code uses. A model file must have its
    /// destination.
    public mutating func add(
        _ name: String, _ type: NSSet?.Type, storedName: String? = nil, settings: _RelationshipSettings = .init()
    ) {
        add(name, storedName, type, to: nil, isToMany: true, settings: settings)
    }

    /// Adds an unordered to-many relationship in the type that Xcode's generated code uses. A model file must have its
    /// destination.
    public mutating func add(
        _ name: String, _ type: NSSet.Type, storedName: String? = nil, settings: _RelationshipSettings = .init()
    ) {
        add(name, storedName, type, to: nil, isToMany: true, settings: settings)
    }

    /// Adds an ordered to-many relationship in the type that Xcode's generated code uses. A model file must have its destination.
    public mutating func add(
        _ name: String, _ type: NSOrderedSet?.Type, storedName: String? = nil, settings: _RelationshipSettings = .init()
    ) {
        add(name, storedName, type, to: nil, isToMany: true, isOrdered: true, settings: settings)
    }

    /// Adds an ordered to-many relationship in the type that Xcode's generated code uses. A model file must have its destination.
    public mutating func add(
        _ name: String, _ type: NSOrderedSet.Type, storedName: String? = nil, settings: _RelationshipSettings = .init()
    ) {
        add(name, storedName, type, to: nil, isToMany: true, isOrdered: true, settings: settings)
    }

    private mutating func add(
        _ name: String, _ storedName: String?, _ type: Any.Type, isOptional: Bool = true, to destination: NSManagedObject.Type?,
        isToMany: Bool = false, isOrdered: Bool = false, settings: _RelationshipSettings
    ) {
        let relationship = TypedRelationship(
            destination: destination, isToMany: isToMany, isOrdered: isOrdered, settings: settings)
        _append(
            _TypedProperty(
                name: name, storedName: storedName ?? name, type: type, isOptional: isOptional, kind: .relationship(relationship))
        )
    }
}

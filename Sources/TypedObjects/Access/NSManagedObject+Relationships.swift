public import Foundation
public import ObjectGraph

// What the accessors of relationships call. `name` serves messages only.

extension NSManagedObject {
    /// Reads a required to-one relationship. Nil stops the program, and so does an object of another class.
    @inlinable @inline(__always)
    public final func _get<Destination: NSManagedObject>(_ name: String, _ slot: Int) -> Destination {
        _noteReading(slot)
        guard let object = _toOne(slot) else { return AccessFailure.destinationInstead(self, name, slot) }
        return _destination(object, name)
    }

    /// Reads a to-one relationship. An object of another class stops the program.
    @inlinable @inline(__always)
    public final func _get<Destination: NSManagedObject>(_ name: String, _ slot: Int) -> Destination? {
        _noteReading(slot)
        guard let object = _toOne(slot) else { return nil }
        return _destination(object, name) as Destination
    }

    /// Sets a to-one relationship, and its inverse.
    @inlinable @inline(__always)
    public final func _set<Destination: NSManagedObject>(_ name: String, _ slot: Int, _ value: Destination?) {
        // As often happens in initializers: there is nothing, and nothing is to come.
        if value == nil, _isNil(slot) { return }
        _setToOne(slot, value)
    }

    /// Almost every object is of exactly the class asked for, which one comparison tells; a cast costs ten times as much.
    @inlinable @inline(__always)
    final func _destination<Destination: NSManagedObject>(_ object: NSManagedObject, _ name: String) -> Destination {
        if type(of: object) == Destination.self { return unsafeDowncast(object, to: Destination.self) }
        guard let destination = object as? Destination else {
            AccessFailure.wrongClass(self, name, object, Destination.self)
        }
        return destination
    }

    /// Reads an unordered to-many relationship.
    @inlinable @inline(__always)
    public final func _get<Destination: NSManagedObject>(_ name: String, _ slot: Int) -> Set<Destination> {
        _noteReading(slot)
        return _toManySet(_toMany(slot), name)
    }

    /// Reads an unordered to-many relationship; never nil.
    @inlinable @inline(__always)
    public final func _get<Destination: NSManagedObject>(_ name: String, _ slot: Int) -> Set<Destination>? {
        _noteReading(slot)
        return _toManySet(_toMany(slot), name)
    }

    /// Reads an ordered to-many relationship.
    @inlinable @inline(__always)
    public final func _get<Destination: NSManagedObject>(_ name: String, _ slot: Int) -> [Destination] {
        _noteReading(slot)
        return _toManyArray(_toMany(slot), name)
    }

    /// Reads an unordered to-many relationship as generated code does.
    public final func _get(_ name: String, _ slot: Int) -> NSSet {
        _noteReading(slot)
        return NSSet(array: _toMany(slot).objects)
    }
    /// Reads an unordered to-many relationship as generated code does; never nil.
    public final func _get(_ name: String, _ slot: Int) -> NSSet? {
        _noteReading(slot)
        return NSSet(array: _toMany(slot).objects)
    }
    /// Reads an ordered to-many relationship as generated code does.
    public final func _get(_ name: String, _ slot: Int) -> NSOrderedSet {
        _noteReading(slot)
        return NSOrderedSet(array: _toMany(slot).objects)
    }
    /// Reads an ordered to-many relationship as generated code does; never nil.
    public final func _get(_ name: String, _ slot: Int) -> NSOrderedSet? {
        _noteReading(slot)
        return NSOrderedSet(array: _toMany(slot).objects)
    }

    /// Sets a to-many relationship, and the inverse of the objects that come or go.
    @inlinable @inline(__always)
    public final func _set<Destination: NSManagedObject>(_ name: String, _ slot: Int, _ value: Set<Destination>) {
        _setToMany(slot, Array(value))
    }

    /// Sets a to-many relationship, and the inverse of the objects that come or go.
    @inlinable @inline(__always)
    public final func _set<Destination: NSManagedObject>(_ name: String, _ slot: Int, _ value: Set<Destination>?) {
        _setToMany(slot, value.map { Array($0) } ?? [])
    }

    /// Sets a to-many relationship, and the inverse of the objects that come or go.
    @inlinable @inline(__always)
    public final func _set<Destination: NSManagedObject>(_ name: String, _ slot: Int, _ value: [Destination]) {
        _setToMany(slot, value)
    }

    /// Sets a to-many relationship, and the inverse of the objects that come or go.
    public final func _set(_ name: String, _ slot: Int, _ value: NSSet?) {
        _setToMany(slot, _members(value?.allObjects, name))
    }

    /// Sets a to-many relationship, and the inverse of the objects that come or go.
    public final func _set(_ name: String, _ slot: Int, _ value: NSOrderedSet?) {
        _setToMany(slot, _members(value?.array, name))
    }

    /// What an untyped set holds. Anything but managed objects in it is a mistake that the type doesn't show.
    private func _members(_ values: [Any]?, _ name: String) -> [NSManagedObject] {
        (values ?? []).map { value in
            guard let object = value as? NSManagedObject else {
                preconditionFailure("\(type(of: self)).\(name) can't hold a \(type(of: value)): only managed objects")
            }
            return object
        }
    }
}

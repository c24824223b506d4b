public import Foundation
public import ObjectGraph

// The accessors of relationships call these methods. `name` is used only in messages.

extension NSManagedObject {
    /// Reads a required to-one relationship. Stops the program if the value is nil, or an object of another class.
    @inlinable @inline(__always)
    public final func _get<Destination: NSManagedObject>(_ name: String, _ slot: Int) -> Destination {
        _noteReading(slot)
        guard let object = _toOne(slot) else { return AccessFailure.destinationInstead(self, name, slot) }
        return _destination(object, name)
    }

    /// Reads a to-one relationship. Stops the program if the value is an object of another class.
    @inlinable @inline(__always)
    public final func _get<Destination: NSManagedObject>(_ name: String, _ slot: Int) -> Destination? {
        _noteReading(slot)
        guard let object = _toOne(slot) else { return nil }
        return _destination(object, name) as Destination
    }

    /// Sets a to-one relationship, and its inverse.
    @inlinable @inline(__always)
    public final func _set<Destination: NSManagedObject>(_ name: String, _ slot: Int, _ value: Destination?) {
        // Initializers often set nil where nil is the value already.
        if value == nil, _isNil(slot) { return }
        _setToOne(slot, value)
    }

    /// Almost every object is of exactly the wanted class. One comparison finds that out, and a cast costs ten times as much.
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

    /// Reads an unordered to-many relationship. The result is never nil.
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

    /// Reads an unordered to-many relationship in the type that Xcode's generated code uses.
    public final func _get(_ name: String, _ slot: Int) -> NSSet {
        _noteReading(slot)
        return NSSet(array: _toMany(slot).objects)
    }
    /// Reads an unordered to-many relationship in the type that Xcode's generated code uses. The result is never nil.
    public final func _get(_ name: String, _ slot: Int) -> NSSet? {
        _noteReading(slot)
        return NSSet(array: _toMany(slot).objects)
    }
    /// Reads an ordered to-many relationship in the type that Xcode's generated code uses.
    public final func _get(_ name: String, _ slot: Int) -> NSOrderedSet {
        _noteReading(slot)
        return NSOrderedSet(array: _toMany(slot).objects)
    }
    /// Reads an ordered to-many relationship in the type that Xcode's generated code uses. The result is never nil.
    public final func _get(_ name: String, _ slot: Int) -> NSOrderedSet? {
        _noteReading(slot)
        return NSOrderedSet(array: _toMany(slot).objects)
    }

    /// Sets a to-many relationship, and the inverse of each object that is added or removed.
    @inlinable @inline(__always)
    public final func _set<Destination: NSManagedObject>(_ name: String, _ slot: Int, _ value: Set<Destination>) {
        _setToMany(slot, Array(value))
    }

    /// Sets a to-many relationship, and the inverse of each object that is added or removed.
    @inlinable @inline(__always)
    public final func _set<Destination: NSManagedObject>(_ name: String, _ slot: Int, _ value: Set<Destination>?) {
        _setToMany(slot, value.map { Array($0) } ?? [])
    }

    /// Sets a to-many relationship, and the inverse of each object that is added or removed.
    @inlinable @inline(__always)
    public final func _set<Destination: NSManagedObject>(_ name: String, _ slot: Int, _ value: [Destination]) {
        _setToMany(slot, value)
    }

    /// Sets a to-many relationship, and the inverse of each object that is added or removed.
    public final func _set(_ name: String, _ slot: Int, _ value: NSSet?) {
        _setToMany(slot, _members(value?.allObjects, name))
    }

    /// Sets a to-many relationship, and the inverse of each object that is added or removed.
    public final func _set(_ name: String, _ slot: Int, _ value: NSOrderedSet?) {
        _setToMany(slot, _members(value?.array, name))
    }

    /// The managed objects in an untyped collection. Stops the program if the collection holds anything else, which its type
    /// can't rule out.
    private func _members(_ values: [Any]?, _ name: String) -> [NSManagedObject] {
        (values ?? []).map { value in
            guard let object = value as? NSManagedObject else {
                preconditionFailure("\(type(of: self)).\(name) can't hold a \(type(of: value)): only managed objects")
            }
            return object
        }
    }
}

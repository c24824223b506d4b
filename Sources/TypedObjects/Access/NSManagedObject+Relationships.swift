import Foundation
import ObjectGraph

// What the accessors of relationships call. `name` serves messages only.

extension NSManagedObject {
    @inlinable
    public final func _get<Destination: NSManagedObject>(_ name: String, _ slot: Int) -> Destination {
        guard let object = _toOne(slot) else { AccessFailure.noValue(self, name) }
        return _destination(object, name)
    }

    @inlinable
    public final func _get<Destination: NSManagedObject>(_ name: String, _ slot: Int) -> Destination? {
        guard let object = _toOne(slot) else { return nil }
        return _destination(object, name) as Destination
    }

    @inlinable
    public final func _set<Destination: NSManagedObject>(_ name: String, _ slot: Int, _ value: Destination?) {
        _setToOne(slot, value)
    }

    /// Almost every object is of exactly the class asked for, which one comparison tells; a cast costs ten times as much.
    @inlinable
    final func _destination<Destination: NSManagedObject>(_ object: NSManagedObject, _ name: String) -> Destination {
        if type(of: object) == Destination.self { return unsafeDowncast(object, to: Destination.self) }
        guard let destination = object as? Destination else {
            AccessFailure.wrongClass(self, name, object, Destination.self)
        }
        return destination
    }

    @inlinable
    public final func _get<Destination: NSManagedObject>(_ name: String, _ slot: Int) -> Set<Destination> {
        _toManySet(_toMany(slot), name)
    }

    @inlinable
    public final func _get<Destination: NSManagedObject>(_ name: String, _ slot: Int) -> Set<Destination>? {
        _toManySet(_toMany(slot), name)
    }

    @inlinable
    public final func _get<Destination: NSManagedObject>(_ name: String, _ slot: Int) -> [Destination] {
        _toManyArray(_toMany(slot), name)
    }

    public final func _get(_ name: String, _ slot: Int) -> NSSet { NSSet(array: _toMany(slot).objects) }
    public final func _get(_ name: String, _ slot: Int) -> NSSet? { NSSet(array: _toMany(slot).objects) }
    public final func _get(_ name: String, _ slot: Int) -> NSOrderedSet { NSOrderedSet(array: _toMany(slot).objects) }
    public final func _get(_ name: String, _ slot: Int) -> NSOrderedSet? { NSOrderedSet(array: _toMany(slot).objects) }

    @inlinable
    public final func _set<Destination: NSManagedObject>(_ name: String, _ slot: Int, _ value: Set<Destination>) {
        _setToMany(slot, Array(value))
    }

    @inlinable
    public final func _set<Destination: NSManagedObject>(_ name: String, _ slot: Int, _ value: Set<Destination>?) {
        _setToMany(slot, value.map { Array($0) } ?? [])
    }

    @inlinable
    public final func _set<Destination: NSManagedObject>(_ name: String, _ slot: Int, _ value: [Destination]) {
        _setToMany(slot, value)
    }

    public final func _set(_ name: String, _ slot: Int, _ value: NSSet?) {
        _setToMany(slot, _members(value?.allObjects, name))
    }

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

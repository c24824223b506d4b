public import ObjectGraph

/// A to-many relationship, as a collection that is being changed in place: `account.entries.insert(entry)`.
///
/// The edit takes the collection that the relationship keeps for readers, so that it is the only owner and nothing is copied. At
/// its end it finds out which members have come and gone, and changes only these. A set would have to be compared as a whole
/// for this, so the edit watches which objects the set asks for their hashes: see `HashRecorder`. If something else was done with
/// the collection, such as setting it to another one, the relationship is set as a whole.
public struct _MemberEdit<Members> {
    /// The collection.
    public var value: Members
    /// It is nil if the property is set as a whole in any case.
    private let members: _ToManyObjects?
    private let version: Int
    private let recorder: HashRecorder?
    private let storage: SetStorage?

    /// Makes an edit whose end sets the property as a whole.
    @usableFromInline
    init(whole value: Members) {
        self.value = value
        (members, version, recorder, storage) = (nil, 0, nil, nil)
    }

    private init(_ value: Members, _ members: _ToManyObjects, _ recorder: HashRecorder?, _ storage: SetStorage?) {
        self.value = value
        self.members = members
        version = members.version
        self.recorder = recorder
        self.storage = storage
    }

    /// The members, if nobody has changed them since the edit began.
    private var unchangedMembers: _ToManyObjects? { members.flatMap { $0.version == version ? $0 : nil } }

    private func apply<Destination: NSManagedObject>(_ set: Set<Destination>, to owner: NSManagedObject) -> Bool {
        guard let touched = recorder?.end(), let members = unchangedMembers, storage?.isStorage(of: set) == true else {
            return false
        }
        return owner.change(members, touched: touched, count: set.count, view: ToManyView(set)) { object in
            (object as? Destination).map(set.contains) ?? false
        }
    }

    /// More objects than that are compared as fast as all of them.
    private static func greatestCount(_ count: Int) -> Int { max(64, count / 8) }
}

extension _MemberEdit {
    @usableFromInline
    init<Destination: NSManagedObject>(_ set: Set<Destination>, _ members: _ToManyObjects) where Members == Set<Destination> {
        self.init(set, members, HashRecorder(atMost: Self.greatestCount(set.count)), SetStorage(set))
    }

    @usableFromInline
    init<Destination: NSManagedObject>(_ set: Set<Destination>?, _ members: _ToManyObjects) where Members == Set<Destination>? {
        self.init(set, members, HashRecorder(atMost: Self.greatestCount(set?.count ?? 0)), set.flatMap(SetStorage.init))
    }

    @usableFromInline
    init<Destination: NSManagedObject>(_ array: [Destination], _ members: _ToManyObjects) where Members == [Destination] {
        self.init(array, members, nil, nil)
    }

    /// Changes the relationship. The result is false if it must be set as a whole.
    @usableFromInline
    func apply<Destination: NSManagedObject>(to owner: NSManagedObject) -> Bool where Members == Set<Destination> {
        apply(value, to: owner)
    }

    @usableFromInline
    func apply<Destination: NSManagedObject>(to owner: NSManagedObject) -> Bool where Members == Set<Destination>? {
        guard let value else {
            _ = recorder?.end()
            return false
        }
        return apply(value, to: owner)
    }

    @usableFromInline
    func apply<Destination: NSManagedObject>(to owner: NSManagedObject) -> Bool where Members == [Destination] {
        guard let members = unchangedMembers else { return false }
        return value.withUnsafeBufferPointer { objects in
            // An unmanaged reference has the representation of a reference, whatever its class.
            let references = objects.baseAddress.map {
                UnsafeRawPointer($0).assumingMemoryBound(to: Unmanaged<NSManagedObject>.self)
            }
            return owner.change(
                members, to: UnsafeBufferPointer(start: references, count: objects.count), view: ToManyView(value))
        }
    }
}

/// The storage of a set, to tell whether a set was changed in place.
///
/// The reference keeps the address from being given to another storage, but does not count as a reference that makes the set
/// copy itself.
private struct SetStorage {
    private unowned let object: AnyObject
    private let address: UnsafeRawPointer

    /// Fails where a set is not just a reference to its storage.
    init?<Element: Hashable>(_ set: Set<Element>) {
        guard MemoryLayout<Set<Element>>.size == MemoryLayout<AnyObject>.size else { return nil }
        object = unsafeBitCast(set, to: AnyObject.self)
        address = unsafeBitCast(set, to: UnsafeRawPointer.self)
    }

    func isStorage<Element: Hashable>(of set: Set<Element>) -> Bool { unsafeBitCast(set, to: UnsafeRawPointer.self) == address }
}

// The accessors that change a relationship in place call these methods: `_edit` before, and `_end` after.

extension NSManagedObject {
    /// Begins to change an unordered to-many relationship in place.
    @inlinable
    public final func _edit<Destination: NSManagedObject>(_ name: String, _ slot: Int, as type: Set<Destination>.Type)
        -> _MemberEdit<Set<Destination>>
    {
        _noteReading(slot)
        let members = _toMany(slot)
        let set: Set<Destination> = _toManySet(members, name)
        members.typedView = nil
        return _MemberEdit(set, members)
    }

    /// Begins to change an unordered to-many relationship in place.
    @inlinable
    public final func _edit<Destination: NSManagedObject>(_ name: String, _ slot: Int, as type: Set<Destination>?.Type)
        -> _MemberEdit<Set<Destination>?>
    {
        _noteReading(slot)
        let members = _toMany(slot)
        let set: Set<Destination> = _toManySet(members, name)
        members.typedView = nil
        return _MemberEdit(Optional(set), members)
    }

    /// Begins to change an ordered to-many relationship in place.
    @inlinable
    public final func _edit<Destination: NSManagedObject>(_ name: String, _ slot: Int, as type: [Destination].Type)
        -> _MemberEdit<[Destination]>
    {
        _noteReading(slot)
        let members = _toMany(slot)
        let array: [Destination] = _toManyArray(members, name)
        members.typedView = nil
        return _MemberEdit(array, members)
    }

    /// Accepts a type that no relationship can have, so that the compiler reports the mistake only once, in the schema.
    @_disfavoredOverload
    public final func _edit<Value>(_ name: String, _ slot: Int, as type: Value.Type) -> _MemberEdit<Value> {
        _MemberEdit(whole: _get(name, slot))
    }

    /// Changes the relationship as its collection was changed.
    @inlinable
    public final func _end<Destination: NSManagedObject>(
        _ edit: inout _MemberEdit<Set<Destination>>, _ name: String, _ slot: Int
    ) {
        if !edit.apply(to: self) { _set(name, slot, edit.value) }
    }

    /// Changes the relationship as its collection was changed.
    @inlinable
    public final func _end<Destination: NSManagedObject>(
        _ edit: inout _MemberEdit<Set<Destination>?>, _ name: String, _ slot: Int
    ) {
        if !edit.apply(to: self) { _set(name, slot, edit.value) }
    }

    /// Changes the relationship as its collection was changed.
    @inlinable
    public final func _end<Destination: NSManagedObject>(_ edit: inout _MemberEdit<[Destination]>, _ name: String, _ slot: Int) {
        if !edit.apply(to: self) { _set(name, slot, edit.value) }
    }

    /// Accepts a type that no relationship can have, so that the compiler reports the mistake only once, in the schema.
    @_disfavoredOverload
    public final func _end<Value>(_ edit: inout _MemberEdit<Value>, _ name: String, _ slot: Int) { _set(name, slot, edit.value) }
}

// The same for properties that are declared with `@Managed`.

extension NSManagedObject {
    /// Begins to change an unordered to-many relationship in place.
    @inlinable
    public final func _edit<Destination: NSManagedObject>(_ key: borrowing _ManagedKey, as type: Set<Destination>.Type)
        -> _MemberEdit<Set<Destination>>
    {
        let slot = key.slotForSetting(in: self)
        return slot < _ManagedKey.firstConvertedSlot ? _edit(key.name, slot, as: type) : _MemberEdit(whole: _get(key, as: type))
    }

    /// Begins to change an unordered to-many relationship in place.
    @inlinable
    public final func _edit<Destination: NSManagedObject>(_ key: borrowing _ManagedKey, as type: Set<Destination>?.Type)
        -> _MemberEdit<Set<Destination>?>
    {
        let slot = key.slotForSetting(in: self)
        return slot < _ManagedKey.firstConvertedSlot ? _edit(key.name, slot, as: type) : _MemberEdit(whole: _get(key, as: type))
    }

    /// Begins to change an ordered to-many relationship in place.
    @inlinable
    public final func _edit<Destination: NSManagedObject>(_ key: borrowing _ManagedKey, as type: [Destination].Type)
        -> _MemberEdit<[Destination]>
    {
        let slot = key.slotForSetting(in: self)
        return slot < _ManagedKey.firstConvertedSlot ? _edit(key.name, slot, as: type) : _MemberEdit(whole: _get(key, as: type))
    }

    /// Begins to change a collection that is a transformable attribute.
    @_disfavoredOverload
    public final func _edit<Value>(_ key: borrowing _ManagedKey, as type: Value.Type) -> _MemberEdit<Value> {
        _MemberEdit(whole: _get(key, as: type, ()))
    }

    /// Changes the relationship as its collection was changed.
    @inlinable
    public final func _end<Destination: NSManagedObject>(
        _ edit: inout _MemberEdit<Set<Destination>>, _ key: borrowing _ManagedKey
    ) {
        if !edit.apply(to: self) { _set(key, edit.value) }
    }

    /// Changes the relationship as its collection was changed.
    @inlinable
    public final func _end<Destination: NSManagedObject>(
        _ edit: inout _MemberEdit<Set<Destination>?>, _ key: borrowing _ManagedKey
    ) {
        if !edit.apply(to: self) { _set(key, edit.value) }
    }

    /// Changes the relationship as its collection was changed.
    @inlinable
    public final func _end<Destination: NSManagedObject>(
        _ edit: inout _MemberEdit<[Destination]>, _ key: borrowing _ManagedKey
    ) {
        if !edit.apply(to: self) { _set(key, edit.value) }
    }

    /// Sets the transformable attribute.
    @_disfavoredOverload
    public final func _end<Value>(_ edit: inout _MemberEdit<Value>, _ key: borrowing _ManagedKey) { _set(key, edit.value, ()) }
}

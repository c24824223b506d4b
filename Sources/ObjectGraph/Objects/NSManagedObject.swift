public import DataModel
public import Foundation
public import FoundationGaps
public import Predicates
package import Storage

/// An object of a graph: one row of a store in one context.
///
/// Subclass it for your entities, by hand or with the typed layer's `@Entity`. An object belongs to its context: use it
/// only on the context's queue, and pass its ``objectID`` elsewhere.
///
/// Differences from Apple's class: a subclass that overrides `init(entity:insertInto:)` writes `required` in place of
/// `override`; accessors come from macros, because `@NSManaged` needs Objective-C.
open class NSManagedObject: NSObject, NSFetchRequestResult {
    // Unchecked exclusivity: an object is confined to its context's queue, so no two accesses overlap.

    /// The slots of the current row; nil while the object is a fault.
    @exclusivity(unchecked) @usableFromInline final var _slots: UnsafeMutablePointer<UInt64>?
    @exclusivity(unchecked) @usableFromInline final var _state: ObjectState = []
    /// The slots set since the last save.
    @exclusivity(unchecked) @usableFromInline final var _changed: UInt64 = 0
    @exclusivity(unchecked) final var changedBeyond64: [UInt64] = []
    /// The current row. A fault may have one, too: then firing it costs no look-up.
    @exclusivity(unchecked) final var row: Row?
    /// The row as last fetched or saved, while `row` is a draft.
    @exclusivity(unchecked) final var snapshot: Row?
    @exclusivity(unchecked) @usableFromInline final var registry: ObjectRegistry
    @exclusivity(unchecked) final var key: Int64 = 0
    /// The destinations read or set so far, one per relationship of the layout: an object, or a `_ToManyObjects`.
    @exclusivity(unchecked) final var links: UnsafeMutablePointer<AnyObject?>?
    @exclusivity(unchecked) final var cachedID: NSManagedObjectID?

    // MARK: Creation

    /// Makes an object of an entity, with the model's default values, and inserts it.
    ///
    /// A context also calls it for faults, which are not inserted. An override may use other contexts, fetch, and make
    /// objects, but must pass its arguments on to `super`. Before that, it must make objects of its own entity with
    /// `init(context:)`.
    ///
    /// - Parameters:
    ///   - entity: The entity; its class must be this class or a superclass of it.
    ///   - context: The context to insert into, on whose queue the call must be; nil for an object without context.
    public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        // No ownership modifiers here or on any other member that can be overridden: an override without them releases
        // the argument once too often.
        if let registryOfFault = context?.uniquing.faultMaking.takeRegistry(of: entity) {
            // The context makes a fault, and sets everything else right after.
            registry = registryOfFault
            super.init()
            return
        }
        guard let context else {
            registry = NSManagedObject.detachedRegistry(for: entity)
            key = TemporaryKeys.next()
            super.init()
            registry.insert(self, key: key)
            if type(of: self) != registry.record.pointee.objectClass { requireFittingSlots() }
            return
        }
        context.beginMutation()
        defer { context.endMutation() }
        registry = context.registryForInsert(entity)
        key = TemporaryKeys.next()
        let draft = registry.runtime.templates[registry.layout.index].makeDraft()
        row = draft
        _slots = draft.slots
        super.init()
        registry.insert(self, key: key)
        if type(of: self) != registry.record.pointee.objectClass { requireFittingSlots() }
        context.noteInserted(self)
        if let setInitialValues = registry.runtime.initialValues[registry.layout.index] {
            setInitialValues(self)
            // Initial values come from the class. They are not changes.
            clearChangedMask()
        }
        awakeFromInsert()
    }

    /// Makes an object of the class's entity, with the model's default values, and inserts it.
    ///
    /// Required, so that generic code can call it: `T(context: context)`, `Self(context: context)`. A subclass that
    /// declares an initializer with just this argument writes `required convenience init(context:)`, which also
    /// compiles with Apple's framework.
    ///
    /// - Parameter moc: The context; its model must have an entity with this class. The call must be on the context's queue.
    public required convenience init(context moc: NSManagedObjectContext) {
        let fault = moc._beginInsertion()
        self.init(entity: moc.entityDescription(for: Self.self), insertInto: Optional(moc))
        moc._endInsertion(fault)
    }

    deinit {
        if _state.contains(.isObserved) { KeyValueObservers.removeAll(from: ObjectIdentifier(self)) }
        if _state.contains(.isTracked) { registry.context?.shared.tracking.forget(ObjectIdentifier(self)) }
        if _state.contains(.hasUnfitValues) { UnfitValues.forgetAll(self) }
        if let links {
            links.deinitialize(count: layout.relationships.count)
            links.deallocate()
        }
        // Rows have an unretained reference to their layout, and the registry record may be what keeps the layout
        // alive.
        row = nil
        snapshot = nil
        if registry.record.pointee.tellsStore { registry.tellUnregistered([key]) }
        registry.remove(Unmanaged.passUnretained(self).toOpaque(), key: key)
    }

    /// The entity of the class, searched in the models in use.
    ///
    /// If two models have entities of this class, the result is one of them, as with Apple's framework. If no model in
    /// use has the class, a line on standard error says so, and the result is an entity named like the class that
    /// belongs to no model; Apple's framework logs, too, and gives nil.
    open class func entity() -> NSEntityDescription { RuntimeList.entity(of: self) }

    /// A request for all objects of the class's entity.
    ///
    /// Classes with `@Entity` have a method of the same name with a typed result. Without a type annotation the typed
    /// one is called.
    @_disfavoredOverload
    open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = entity()
        return request
    }

    /// Always true: properties that the model does not have are not tracked.
    open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

    // MARK: Identity

    package final var layout: EntityLayout { registry.layout }

    /// Whether the context has not been reset since it made the object. Must be asked on the context's queue.
    final var isInReach: Bool { registry.record.pointee.context != nil }

    /// The entity that the object is of.
    public final var entity: NSEntityDescription { layout.description }

    /// The context; nil if the object was made without one, if the context is gone, and after the object's deletion was
    /// saved. May be read on every thread.
    public final var managedObjectContext: NSManagedObjectContext? { registry.context }

    /// The object's ID: temporary until the first save, then permanent. Reading it never fires a fault.
    public final var objectID: NSManagedObjectID {
        if let cachedID { return cachedID }
        // Other threads may ask for the ID, too. The first one makes it.
        return registry.withLock {
            if let cachedID { return cachedID }
            let id = NSManagedObjectID(runtime: registry.runtime, entityIndex: layout.index, key: key, store: registry.store)
            cachedID = id
            return id
        }
    }

    /// Whether both are the same object. Objects of two contexts for one row are not equal, but their IDs are. It can't
    /// be overridden.
    public final override func isEqual(_ object: Any?) -> Bool { object as AnyObject? === self }

    /// The object's address. It can't be overridden.
    public final override var hash: Int {
        HashRecorder.note(self)
        return Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) >> 4
    }

    // MARK: State

    /// Whether the object was inserted and not saved since.
    public final var isInserted: Bool { _state.contains(.inserted) }

    /// Whether the object was saved before and has unsaved changes.
    public final var isUpdated: Bool { _state.contains(.updated) && !_state.contains(.deleted) }

    /// Whether the object will be deleted by the next save.
    public final var isDeleted: Bool { _state.contains(.deleted) }

    /// Whether the object was inserted, changed or deleted and not saved since.
    public final var hasChanges: Bool { !_state.isDisjoint(with: [.inserted, .updated, .deleted]) }

    /// Whether the object's values are not loaded.
    public final var isFault: Bool { _slots == nil }

    /// 0 for an object whose values are loaded.
    public final var faultingState: Int { isFault ? 1 : 0 }

    /// Whether a persistent property differs from what was last fetched or saved.
    public final var hasPersistentChangedValues: Bool { !changedSlots(persistentOnly: true).isEmpty }

    // MARK: Hooks

    /// Called once when the object is inserted, after the default values are set. Call `super` first.
    open func awakeFromInsert() {}

    /// Called after each firing of the fault. Setting a value here is not a change. Call `super` first.
    open func awakeFromFetch() {}

    /// Called in place of ``awakeFromFetch()`` when values come from elsewhere: undo, redo, rollback, refresh. Call
    /// `super` first.
    open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}

    /// Called when the object is about to be deleted, its relationships still intact.
    open func prepareForDeletion() {}

    /// Called before the object is saved, and called again if that changed the object. Change a value only if it
    /// differs, best by its primitive value.
    open func willSave() {}

    /// Called after the object was saved.
    open func didSave() {}

    /// Called before the values are dropped.
    open func willTurnIntoFault() {}

    /// Called after the values were dropped.
    open func didTurnIntoFault() {}

    // MARK: Key-value coding

    /// The value of a property. Loads the object if it is a fault.
    ///
    /// Stops the program for a key that the entity does not have, unless ``value(forUndefinedKey:)`` is overridden.
    open func value(forKey key: String) -> Any? { dynamicValue(forKey: key) }

    /// Sets a property: maintains inverses, tracks the change.
    ///
    /// Stops the program for a key that the entity does not have, unless ``setValue(_:forUndefinedKey:)`` is
    /// overridden, and for a value of a type that the property can't hold. Apple's framework raises an exception, which
    /// Swift can't catch. The message names the entity, the property, the expected type and the given type. An ordered
    /// relationship takes an `NSOrderedSet`, an unordered one an `NSSet`; Swift's arrays are accepted for both.
    open func setValue(_ value: Any?, forKey key: String) { setDynamicValue(value, forKey: key) }

    /// Called by ``value(forKey:)`` for a key that the entity does not have. Stops the program.
    open func value(forUndefinedKey key: String) -> Any? { KeyProbe.note() ? nil : undefinedKey(key) }

    /// Called by ``setValue(_:forKey:)`` for a key that the entity does not have. Stops the program.
    open func setValue(_ value: Any?, forUndefinedKey key: String) { _ = undefinedKey(key) }

    /// The value of a property as it is in memory: nil for a fault, which is not fired.
    ///
    /// The value of a to-many relationship is an `NSMutableSet` or `NSMutableOrderedSet`. Changing this set changes the
    /// relationship only between ``willChangeValue(forKey:)`` and ``didChangeValue(forKey:)``. At other times it is a
    /// copy, unlike Apple's.
    open func primitiveValue(forKey key: String) -> Any? { givenPrimitive(key) }

    /// Sets a property without tracking the change and without touching inverses.
    open func setPrimitiveValue(_ value: Any?, forKey key: String) { writePrimitive(value, key) }

    /// Call it before you read a primitive value: it fires the fault. With nil as key it only fires the fault, and does
    /// nothing for an object that was reset.
    open func willAccessValue(forKey key: String?) {
        if key == nil, reasonForNoValues != nil { return }
        _ = _loadedSlots
    }

    /// Call it after you have read a primitive value.
    open func didAccessValue(forKey key: String?) {}

    /// Call it before you change a primitive value.
    open func willChangeValue(forKey key: String) { beginChange(of: key) }

    /// Call it after you have changed a primitive value: it tracks the change and maintains the inverse.
    open func didChangeValue(forKey key: String) { endChange(of: key) }

    /// Call it before you change a to-many relationship's primitive value by a set operation.
    ///
    /// - Parameters:
    ///   - inKey: The relationship's name.
    ///   - inMutationKind: The operation.
    ///   - inObjects: The objects that are added, removed, kept, or set.
    open func willChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind, using inObjects: Set<AnyHashable>
    ) {
        beginSetChange(of: inKey, inMutationKind, inObjects)
    }

    /// Call it after you have changed a to-many relationship's primitive value by a set operation. It does the
    /// operation with change tracking and inverse.
    ///
    /// It does not matter whether the primitive value was really changed: the announced operation is done.
    ///
    /// - Parameters:
    ///   - inKey: The relationship's name.
    ///   - inMutationKind: The operation.
    ///   - inObjects: The objects that are added, removed, kept, or set.
    open func didChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind, using inObjects: Set<AnyHashable>
    ) {
        endSetChange(of: inKey, inMutationKind, inObjects)
    }

    /// A to-many relationship as a set that changes the relationship: inverses are maintained, changes tracked, and
    /// later changes are seen in it.
    ///
    /// Stops the program if the entity has no such to-many relationship.
    ///
    /// Difference from Apple's framework: don't cast the result to a Swift set, but use ``value(forKey:)`` or
    /// `allObjects`. In Linux Foundation such a cast gives an *empty* set, as it does for its own `NSCountedSet`.
    ///
    /// - Parameter key: The relationship's name.
    open func mutableSetValue(forKey key: String) -> NSMutableSet { mutableSet(key) }

    /// An ordered to-many relationship as an ordered set that changes the relationship: inverses are maintained,
    /// changes tracked, and later changes are seen in it.
    ///
    /// Stops the program if the entity has no such ordered relationship. Difference from Apple's framework: `array`,
    /// `set`, `firstObject`, `lastObject` and loops don't show changes that were not made through this set, until
    /// `count` or a member is read. Linux Foundation does not let a subclass answer them.
    ///
    /// - Parameter key: The relationship's name.
    open func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet { mutableOrderedSet(key) }

    /// The to-many relationship at the end of a path of to-one relationships, as a set that changes it; see
    /// ``mutableSetValue(forKey:)``.
    ///
    /// Stops the program if there is no such relationship, or no object on the way to it.
    open func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
        let (owner, key) = owner(ofRelationshipAt: keyPath)
        return owner.mutableSetValue(forKey: key)
    }

    /// The ordered to-many relationship at the end of a path of to-one relationships, as an ordered set that changes
    /// it; see ``mutableOrderedSetValue(forKey:)``.
    ///
    /// Stops the program if there is no such relationship, or no object on the way to it.
    open func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
        let (owner, key) = owner(ofRelationshipAt: keyPath)
        return owner.mutableOrderedSetValue(forKey: key)
    }

    // MARK: Validation

    /// Checks a value for a property: its type, whether it may be nil, the model's limits and predicates. May be called
    /// at any time.
    ///
    /// Override it to add checks of your own: call `super`, then throw, or replace the value. ``validateForInsert()``
    /// and ``validateForUpdate()`` call it for every property, and set values that it replaces, after which everything
    /// is validated again. A to-many relationship that is as it was saved is not loaded for it.
    ///
    /// Apple's method takes an `AutoreleasingUnsafeMutablePointer<AnyObject?>`, which needs Objective-C, and looks for
    /// methods named `validate<Key>:error:`, which Swift can't do. Here, use `switch key` in its place.
    ///
    /// - Parameters:
    ///   - value: The value, as key-value coding gives it; a replacement on return.
    ///   - key: The property's name. A name that the entity does not have has no rules.
    /// - Throws: One validation error, or 1560 with all of them under `NSDetailedErrorsKey`.
    open func validateValue(_ value: inout Any?, forKey key: String) throws { try checkValue(value, forKey: key) }

    /// Checks a new object before it is saved. Call `super`.
    /// - Throws: One validation error, or 1560 with all of them under `NSDetailedErrorsKey`.
    open func validateForInsert() throws { try checkProperties() }

    /// Checks a changed object before it is saved. Call `super`.
    /// - Throws: One validation error, or 1560 with all of them under `NSDetailedErrorsKey`.
    open func validateForUpdate() throws { try checkProperties() }

    /// Checks that a deleted object may go: no relationship with the deny rule has a destination that stays. Call `super`.
    /// - Throws: 1600, or 1560 with all errors under `NSDetailedErrorsKey`.
    open func validateForDelete() throws { try checkDenyRules() }

    /// The entity, the ID, and the values if they are loaded. Reading it never fires a fault.
    open override var description: String { debugText }
}

extension NSManagedObject: KeyValueCoding {}

extension NSManagedObject: CVarArg {
    /// A pointer to the object, which the caller must keep alive.
    public var _cVarArgEncoding: [Int] { pointer(to: self) }
}

extension NSManagedObjectID: CVarArg {
    /// A pointer to the object, which the caller must keep alive.
    public var _cVarArgEncoding: [Int] { pointer(to: self) }
}

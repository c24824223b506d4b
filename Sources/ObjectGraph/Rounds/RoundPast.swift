import DataModel
import Storage

/// What the objects of one round of changes were before it.
///
/// While the round is being told of, the context knows most of it, and answers are found when they are asked for. What somebody keeps for later is copied
/// before the context goes on. Confined to the context's queue; letting go of it is allowed on every thread.
package final class RoundPast {
    private let reference: ContextReference
    private var context: NSManagedObjectContext? { reference.context }
    /// Rows of objects whose values were not changed but replaced: read again, or taken back.
    private var replaced: [ObjectIdentifier: Row]
    /// Objects whose values were not loaded.
    private var unknown: Set<ObjectIdentifier>
    /// What was written down before; all there is in the round of a save.
    private var changes: [ObjectIdentifier: Change]
    private var isKnownToContext: Bool
    private var images: [ObjectIdentifier: NSManagedObject] = [:]
    private var laterImages: [ObjectIdentifier: NSManagedObject] = [:]
    private var registries: [UnsafeRawPointer: ObjectRegistry] = [:]

    struct Change {
        /// Nil if it is not known.
        let before: ObjectImage?
        var after: ObjectImage?
        /// The slots of what differs; nil if that is not known.
        let slots: SlotMask?
    }

    init(_ context: NSManagedObjectContext, replaced: [ObjectIdentifier: Row] = [:], unknown: some Sequence<NSManagedObject>) {
        reference = context.reference
        self.replaced = replaced
        self.unknown = Set(unknown.lazy.map(ObjectIdentifier.init))
        changes = [:]
        isKnownToContext = true
    }

    init(_ context: NSManagedObjectContext, saved: [ObjectIdentifier: Change]) {
        reference = context.reference
        replaced = [:]
        unknown = []
        changes = saved
        isKnownToContext = false
    }

    deinit { abandonImages() }

    /// Images know their context by an unretained reference. As long as they are held their registries live.
    private func abandonImages() {
        for registry in registries.values { registry.abandon() }
        registries = [:]
    }

    // MARK: Asking

    /// The object as it was before the round, or, if it was deleted, at last. It can be read, on the context's queue, and nothing else.
    ///
    /// - Returns: nil for what is new, and if the values were not known.
    package func objectBefore(_ object: NSManagedObject) -> NSManagedObject? {
        let id = ObjectIdentifier(object)
        if context == nil { abandonImages() }
        if let known = images[id] { return known }
        guard let context, let image = change(of: object, in: context).before else { return nil }
        let made = image.makeObject(for: object, in: context, registry(for: object, in: context))
        images[id] = made
        return made
    }

    /// The object as it was after the round: itself while the round is being told of.
    package func objectAfter(_ object: NSManagedObject) -> NSManagedObject {
        let id = ObjectIdentifier(object)
        if context == nil { abandonImages() }
        if let known = laterImages[id] { return known }
        guard let context, let image = changes[id]?.after else { return object }
        let made = image.makeObject(for: object, in: context, registry(for: object, in: context))
        laterImages[id] = made
        return made
    }

    /// The names in the model of the properties that differ; nil if the values before were not known.
    package func changedKeys(of object: NSManagedObject) -> Set<String>? {
        guard let slots = changedSlots(of: object) else { return nil }
        let layout = object.layout
        return Set(slots.lazy.filter { layout.slots[$0].kind != .entityIndex }.map { layout.slots[$0].name })
    }

    /// Whether one of some slots differs, or may differ because the values before were not known.
    package func hasChanged(_ object: NSManagedObject, _ slots: SlotMask) -> Bool {
        // Most objects were changed, and elsewhere: their marks tell.
        let marked = object.markedSlots
        if isKnownToContext, replaced.isEmpty, !object.isFault, !marked.isEmpty, !marked.contains(where: slots.contains) {
            return false
        }
        guard let changed = changedSlots(of: object) else { return true }
        return changed.contains(where: slots.contains)
    }

    private func changedSlots(of object: NSManagedObject) -> SlotMask? {
        guard let context else { return nil }
        return change(of: object, in: context).slots
    }

    private func registry(for object: NSManagedObject, in context: NSManagedObjectContext) -> ObjectRegistry {
        let key = UnsafeRawPointer(object.registry.record)
        if let known = registries[key] { return known }
        let made = ObjectRegistry(
            runtime: object.registry.runtime, entity: object.layout.index, context: context, store: object.registry.store)
        registries[key] = made
        return made
    }

    // MARK: Finding out

    private func change(of object: NSManagedObject, in context: NSManagedObjectContext) -> Change {
        let id = ObjectIdentifier(object)
        if let known = changes[id] { return known }
        guard isKnownToContext else { return Change(before: nil, slots: nil) }
        let change = find(object, in: context)
        changes[id] = change
        return change
    }

    private func find(_ object: NSManagedObject, in context: NSManagedObjectContext) -> Change {
        if let old = replaced[ObjectIdentifier(object)] {
            return Change(before: ObjectImage(row: old), slots: object.isDeleted ? SlotMask() : object.slots(differingFrom: old))
        }
        if object.isDeleted || object._state.contains(.gone) {
            let row = object.row ?? (object._state.contains(.deletedElsewhere) ? nil : context.loadRow(of: object))
            return Change(before: row.map { ObjectImage(row: $0) }, slots: SlotMask())
        }
        if object.isInserted, context.postedEvent?.inserted.contains(object) == true {
            return Change(before: nil, slots: object.slotsSetAfterInsertion)
        }
        guard !unknown.contains(ObjectIdentifier(object)), let current = object.row else {
            return Change(before: nil, slots: nil)
        }
        // Told of because of what happened to others.
        guard let state = EventState(of: object, in: context) else {
            return Change(before: ObjectImage(row: current), slots: SlotMask())
        }
        let row = state.row ?? current
        var change = (image: ObjectImage(row: row), slots: SlotMask())
        func compare(_ slot: Int) {
            if let relationship = object.layout.relationship(slot: slot), relationship.isToMany {
                guard let members = state.destinations(relationship) else { return }
                change.slots.insert(slot)
                change.image.members[relationship.index] = members
            } else if object.layout.kind(slot) != .vacant, !Row.isEqual(row.slots, current.slots, slot, object.layout.kind(slot))
            {
                change.slots.insert(slot)
            }
        }
        // What was taken back is not marked.
        if state.wasClean { object.markedSlots.forEach(compare) } else { object.layout.slots.indices.forEach(compare) }
        return Change(before: change.image, slots: change.slots)
    }

    // MARK: Keeping

    /// Copies what there is to know of an object, for somebody who will ask after the round.
    package func keep(_ object: NSManagedObject) {
        guard let context, object.context === context || object.isDeleted || object._state.contains(.gone) else { return }
        var change = change(of: object, in: context)
        if !object.isDeleted, !object.isFault, let row = object.row {
            var image = ObjectImage(row: object._state.contains(.draft) ? row.makeDraft() : row)
            for index in (change.before?.members ?? [:]).keys {
                image.members[index] = object.toMany(object.layout.relationships[index]).objects
            }
            change.after = image
        }
        changes[ObjectIdentifier(object)] = change
    }

    /// From now on only what was kept is known.
    func end() {
        isKnownToContext = false
        replaced = [:]
    }
}

extension NSManagedObject {
    /// The slots of a new object whose value is not the model's.
    final var slotsSetAfterInsertion: SlotMask {
        let template = registry.runtime.templates[layout.index]
        var result = SlotMask()
        guard let row else { return result }
        for slot in markedSlots {
            if let relationship = layout.relationship(slot: slot), relationship.isToMany {
                if (links?[relationship.index] as? ToManyObjects)?.hasChanges == true { result.insert(slot) }
            } else if !Row.isEqual(template.slots, row.slots, slot, layout.kind(slot)) {
                result.insert(slot)
            }
        }
        return result
    }

    /// The slots of persistent values that differ from those in another row. Loads the object.
    final func slots(differingFrom old: Row) -> SlotMask {
        var result = SlotMask()
        _ = _loadedSlots
        guard let row else { return result }
        for slot in layout.slots.indices where layout.slots[slot].isPersistent {
            let kind = layout.kind(slot)
            switch kind {
            case .toMany, .vacant: continue
            default: if !Row.isEqual(old.slots, row.slots, slot, kind) { result.insert(slot) }
            }
        }
        return result
    }
}

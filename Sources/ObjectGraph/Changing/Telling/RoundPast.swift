import DataModel
package import Storage

/// The past of one round of changes: its objects as they were before.
///
/// While observers are told of the round, the context knows most of its past, and answers are found when needed. Before
/// the context changes an object, or all of them, the past that it will forget is written down (`settle`). Confined to
/// the context's queue, but may be released on every thread.
package final class RoundPast {
    private let reference: ContextReference
    var objects: _ChangeBuckets.Objects
    private var replaced: [ObjectIdentifier: ReplacedState]
    /// Objects whose values were not loaded.
    private let unknown: Set<ObjectIdentifier>
    private var changes: [ObjectIdentifier: RoundChange]
    private var isKnownToContext: Bool
    private var images: [ObjectIdentifier: NSManagedObject] = [:]
    private var laterImages: [ObjectIdentifier: NSManagedObject] = [:]
    private var registries: [UnsafeRawPointer: ObjectRegistry] = [:]

    init(
        _ context: NSManagedObjectContext, _ objects: _ChangeBuckets.Objects, replaced: [ObjectIdentifier: ReplacedState] = [:],
        unknown: some Sequence<NSManagedObject>
    ) {
        reference = context.reference
        self.objects = objects
        self.replaced = replaced
        self.unknown = Set(unknown.lazy.map(ObjectIdentifier.init))
        changes = [:]
        isKnownToContext = true
    }

    /// The past of a round that was completely written down before.
    init(_ context: NSManagedObjectContext, saved: [ObjectIdentifier: RoundChange]) {
        reference = context.reference
        objects = _ChangeBuckets.Objects()
        replaced = [:]
        unknown = []
        changes = saved
        isKnownToContext = false
    }

    deinit { abandonImages() }

    /// Separates the images from the context, to which they have an unretained reference. The context calls it when it
    /// ends.
    func abandonImages() {
        // Each registry has an image that is held here, so it is not freed before.
        for registry in registries.values { registry.abandon() }
        registries = [:]
    }

    // MARK: Asking

    /// The object as it was before the round, or, if it was deleted, at last. It can only be read, on the context's
    /// queue.
    ///
    /// - Returns: nil for a new object, and if the values were not known.
    package func objectBefore(_ object: NSManagedObject) -> NSManagedObject? {
        let id = ObjectIdentifier(object)
        if let known = images[id] { return known }
        guard let context = reference.context else { return nil }
        var change = change(of: object, in: context)
        change.findMembers(of: object)
        changes[id] = change
        guard let image = change.before else { return nil }
        let made = image.makeObject(for: object, in: context, registry(for: object, in: context))
        images[id] = made
        return made
    }

    /// The object as it was after the round: the object itself, while observers are told of the round.
    ///
    /// - Returns: nil if the context has given up the object and its image was not kept.
    package func objectAfter(_ object: NSManagedObject) -> NSManagedObject? {
        let id = ObjectIdentifier(object)
        if let known = laterImages[id] { return known }
        guard let context = reference.context, let image = changes[id]?.after else {
            return object._state.contains(.gone) && object.row == nil ? nil : object
        }
        let made = image.makeObject(for: object, in: context, registry(for: object, in: context))
        laterImages[id] = made
        return made
    }

    /// Whether anything about an object differs, or may differ because the values before were not known. Loads members.
    func isChanged(_ object: NSManagedObject) -> Bool {
        guard let context = reference.context else { return true }
        var change = change(of: object, in: context)
        change.compareOpen(object) { _ in true }
        changes[ObjectIdentifier(object)] = change
        return change.slots.map { !$0.isEmpty } ?? true
    }

    /// The names in the model of the properties that differ; nil if the values before were not known.
    package func changedKeys(of object: NSManagedObject) -> Set<String>? {
        guard let context = reference.context else { return nil }
        var change = change(of: object, in: context)
        change.compareOpen(object) { _ in true }
        changes[ObjectIdentifier(object)] = change
        let layout = object.layout
        return change.slots.map { slots in
            Set(slots.lazy.filter { layout.slots[$0].kind != .entityIndex }.map { layout.slots[$0].name })
        }
    }

    /// Whether one of some slots differs, or may differ because the values before were not known.
    package func hasChanged(_ object: NSManagedObject, _ slots: SlotMask) -> Bool {
        let id = ObjectIdentifier(object)
        // In most cases objects were changed, and in other slots, as their marks show. Undone changes may have no
        // marks.
        let marked = object.markedSlots
        if isKnownToContext, replaced[id] == nil, changes[id] == nil, !object.isFault, !marked.isEmpty, !object.isDeleted,
            !marked.contains(where: slots.contains)
        {
            return false
        }
        guard let context = reference.context else { return true }
        var change = change(of: object, in: context)
        change.compareOpen(object, where: slots.contains)
        changes[id] = change
        return change.slots.map { $0.contains(where: slots.contains) } ?? true
    }

    private func registry(for object: NSManagedObject, in context: NSManagedObjectContext) -> ObjectRegistry {
        let key = UnsafeRawPointer(object.registry.record)
        if let known = registries[key] { return known }
        if registries.isEmpty { context.telling.noteImages(of: self) }
        let made = ObjectRegistry(
            runtime: object.registry.runtime, entity: object.layout.index, context: context, store: object.registry.store)
        registries[key] = made
        return made
    }

    // MARK: Finding out

    private func change(of object: NSManagedObject, in context: NSManagedObjectContext) -> RoundChange {
        let id = ObjectIdentifier(object)
        if let known = changes[id] { return known }
        guard isKnownToContext else { return RoundChange(before: nil, slots: nil) }
        let past = ObjectPast(of: object, replaced: replaced[id], isUnknown: unknown.contains(id), in: context)
        let change = RoundChange(of: object, past)
        changes[id] = change
        return change
    }

    // MARK: Writing down

    /// Writes down an object's past, before the object changes again.
    func settle(_ object: NSManagedObject) {
        guard isKnownToContext, let context = reference.context else { return }
        settle([object], in: context)
    }

    /// Writes down the past of all objects of the round, before the context forgets it.
    func settle() {
        guard isKnownToContext, let context = reference.context else { return }
        settle(objects.all, in: context)
        end()
    }

    private func settle(_ objects: some Sequence<NSManagedObject>, in context: NSManagedObjectContext) {
        loadTogether(objects, in: context)
        for object in objects {
            var change = change(of: object, in: context)
            change.findMembers(of: object)
            change.compareOpen(object) { _ in true }
            change.state = nil
            changes[ObjectIdentifier(object)] = change
        }
    }

    /// Loads what the objects' pasts need and what is not loaded yet: the members of changed relationships, and the
    /// values of deleted objects.
    func loadTogether(_ objects: some Sequence<NSManagedObject>, in context: NSManagedObjectContext) {
        context.loadTogether(objects.filter { $0.isDeleted })
        var owners: [Int: [NSManagedObject]] = [:]
        for object in objects where object.context === context && !object.isDeleted {
            for relationship in change(of: object, in: context).relationshipsToLoad(object) {
                owners[relationship.id, default: []].append(object)
            }
        }
        context.loadMembersTogether(owners)
    }

    /// Copies all that is known of objects, for questions after the round.
    package func keep(_ objects: some Sequence<NSManagedObject>) {
        guard let context = reference.context else { return }
        if isKnownToContext { settle(objects, in: context) }
        for object in objects {
            guard var change = changes[ObjectIdentifier(object)], object.context === context, !object.isDeleted, !object.isFault,
                let row = object.row
            else { continue }
            var image = ObjectImage(row: object._state.contains(.draft) ? row.makeDraft() : row)
            for index in (change.before?.members ?? [:]).keys where object.layout.relationships[index].isToMany {
                image.members[index] = object.toMany(object.layout.relationships[index]).objects
            }
            image.keepNewDestinations(of: object)
            change.after = image
            changes[ObjectIdentifier(object)] = change
        }
    }

    /// Writes down the past and present of all objects of the round, before the context gives them up.
    func keep() { keep(objects.all) }

    /// Ends the round. From now on only what was written down is known.
    func end() {
        isKnownToContext = false
        replaced = [:]
    }
}

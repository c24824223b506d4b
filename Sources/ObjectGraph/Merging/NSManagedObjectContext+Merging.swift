import DataModel
import Foundation

extension NSManagedObjectContext {
    /// Takes over the changes that another context saved.
    ///
    /// Objects that were changed and that this context has loaded get the new values; local unsaved changes stay on top
    /// of them, property by property, and saving them is no longer a conflict. Objects that were deleted become deleted
    /// ones here, even if they have unsaved changes. Observers are told of new objects, which are faults.
    ///
    /// Posts `NSManagedObjectContextObjectsDidChange`, if there is anything to report, and
    /// `NSManagedObjectContextDidMergeChangesObjectIDs` before it returns. Call it on this context's queue.
    ///
    /// - Parameter notification: A `NSManagedObjectContextDidSave` or `NSManagedObjectContextDidSaveObjectIDs` of
    ///   another context, which may be one of another coordinator with the same store file. Objects of stores that this
    ///   context does not have are left out. The context's own notification has no effect.
    public final func mergeChanges(fromContextDidSave notification: Notification) {
        guard notification.object as AnyObject? !== self, let info = notification.userInfo else { return }
        merge(ForeignChanges(info, persistentStoreCoordinator, savedBy: notification.object as? NSManagedObjectContext))
    }

    /// Takes over changes that were made elsewhere, such as by a batch request or another process, in several contexts.
    ///
    /// Acts in each context like ``mergeChanges(fromContextDidSave:)``, on the context's queue, one after the other, in
    /// a parent before its children. It returns when all are done. May be called on every thread.
    ///
    /// - Parameters:
    ///   - changeNotificationData: Arrays or sets of ``NSManagedObjectID`` or of their URLs under
    ///     `NSInsertedObjectsKey`, `NSUpdatedObjectsKey`, `NSDeletedObjectsKey`, or the other keys of
    ///     ``NotificationKey``; refreshed and invalidated ones count as updated.
    ///   - contexts: The contexts.
    public class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) {
        guard !changeNotificationData.isEmpty else { return }
        merge(into: contexts) { ForeignChanges(changeNotificationData, $0.persistentStoreCoordinator) }
    }

    /// Merges changes into several contexts, in each of them on its queue.
    ///
    /// - Parameter source: the context among them that made the changes.
    class func merge(
        into contexts: [NSManagedObjectContext], of source: NSManagedObjectContext? = nil,
        _ changes: (NSManagedObjectContext) -> ForeignChanges
    ) {
        func depth(_ context: NSManagedObjectContext) -> Int { context.parent.map { depth($0) + 1 } ?? 0 }
        let depths = contexts.map(depth)
        for index in contexts.indices.sorted(by: { (depths[$0], $0) < (depths[$1], $1) }) {
            let context = contexts[index]
            let changes = changes(context)
            context.queue.sync { context.merge(changes, takingItsWord: true, areOwn: context === source) }
        }
    }

    /// Whether the context merges by itself each save of the other contexts of its coordinator; as a child, each save
    /// of its parent. False by default.
    ///
    /// It merges on its own queue, after the save has returned. Saves made before this is set are not merged, nor are
    /// those of other coordinators and processes.
    public final var automaticallyMergesChangesFromParent: Bool {
        get { stackPlace.mergesAutomatically }
        set {
            guard newValue != stackPlace.mergesAutomatically else { return }
            stackPlace.mergesAutomatically = newValue
            if newValue { mergeSource?.add(self) } else { mergeSource?.remove(self) }
        }
    }

    /// The list of contexts that merge the same saves as this context.
    final var mergeSource: ContextList? { parent?.shared.receivers ?? persistentStoreCoordinator?.receivers }

    /// The contexts that merge this context's saves by themselves.
    final var receiversOfSaves: [NSManagedObjectContext] {
        let own = shared.receivers.contexts(except: self)
        guard parent == nil, let coordinator = persistentStoreCoordinator else { return own }
        return own + coordinator.receivers.contexts(except: self)
    }

    final func send(_ changes: ForeignChanges, to receivers: [NSManagedObjectContext]) {
        guard !changes.isEmpty else { return }
        for receiver in receivers {
            receiver.queue.async { [reference = receiver.reference] in
                guard let receiver = reference.context, receiver.stackPlace.mergesAutomatically else { return }
                receiver.merge(changes)
            }
        }
    }

    // MARK: Merging

    /// Takes over changes and reports them.
    ///
    /// - Parameters:
    ///   - takingItsWord: Whether the listed deletions are true. Notices of saves may come late, and a row may have
    ///     been brought back since.
    ///   - areOwn: Whether the context itself made them, by a batch request. They then form one event with its earlier
    ///     changes.
    final func merge(_ changes: ForeignChanges, takingItsWord: Bool = false, areOwn: Bool = false) {
        guard let coordinator = persistentStoreCoordinator, !changes.isEmpty else { return }
        // The context's own changes can be undone and are reported as such. The changes of others are not.
        if undoing.manager != nil || !shared.observers.isEmpty && !areOwn { processOwnChanges() }
        advanceQueryGeneration()
        shared.newerRows.advance()
        adoptPermanentIDs()
        var places = ObjectPlaces(self, coordinator)
        var merged: [NotificationKey: Set<NSManagedObjectID>] = [:]
        /// Notes the ID that the object has in this context.
        func note(_ id: NSManagedObjectID, _ place: (registry: ObjectRegistry, key: Int64), _ key: NotificationKey) {
            let (registry, store) = (place.registry, place.registry.store)
            let own =
                id.storeReference === store && id.key == place.key
                ? id : NSManagedObjectID(runtime: runtime, entityIndex: registry.layout.index, key: place.key, store: store)
            merged[key, default: []].insert(own)
        }
        var deleted: [NSManagedObject] = []
        for id in changes.deleted {
            guard let place = places.place(of: id) else { continue }
            guard let object = place.registry.object(place.key) else {
                note(id, place, .deletedObjectIDs)
                continue
            }
            deleted.append(object)
        }
        let returned = takingItsWord ? [] : objectsWithRows(among: deleted)
        deleted.removeAll(where: returned.contains)
        for object in deleted {
            note(object.objectID, (object.registry, object.key), .deletedObjectIDs)
            mergeDeletion(of: object)
        }
        forget(deleted)
        var deletedHere: [NSManagedObject] = []
        let observers = roundObservers
        func isWatched(_ registry: ObjectRegistry) -> Bool {
            observers.contains { $0._watches(entity: registry.layout.index, in: self) }
        }
        func update(_ object: NSManagedObject, _ id: NSManagedObjectID, _ place: (registry: ObjectRegistry, key: Int64)) {
            let isUnchanged = changes.notice?.isUnchanged(id) ?? false
            if mergeUpdate(of: object) {
                note(id, place, .refreshedObjectIDs)
            } else if !shared.observers.isEmpty, event.replaced[ObjectIdentifier(object)] == nil, !isUnchanged {
                let isKnown = object._state.isDisjoint(with: [.inserted, .updated, .deleted, .deletedElsewhere])
                event.noteQuietlyChanged(object, isKnown: isKnown)
            }
            if let said = changes.notice?.memberSlots(of: id, in: place.registry.layout), !said.isEmpty {
                event.noteSaid(said, of: object)
            }
            if object.isDeleted { deletedHere.append(object) }
        }
        for object in returned {
            let place = (object.registry, object.key)
            note(object.objectID, place, .updatedObjectIDs)
            update(object, object.objectID, place)
        }
        for id in changes.updated {
            guard let place = places.place(of: id) else { continue }
            note(id, place, .updatedObjectIDs)
            if let object = place.registry.object(place.key) {
                update(object, id, place)
            } else if isWatched(place.registry), changes.notice?.isUnchanged(id) != true {
                event.noteQuietlyChanged(makeFault(place.registry, key: place.key, row: nil), isKnown: false)
            }
        }
        applyDeleteRulesAgain(to: deletedHere)
        for id in changes.inserted {
            guard let place = places.place(of: id) else { continue }
            note(id, place, .insertedObjectIDs)
            let known = place.registry.object(place.key)
            if let known, known._state.contains(.pushedAsNew) {
                known._state.remove(.pushedAsNew)
                if mergeUpdate(of: known) { note(id, place, .refreshedObjectIDs) }
            } else {
                // A child may have read it before its parent saved it, and the parent may have changed it in between.
                if let known, parent != nil, mergeUpdate(of: known) { note(id, place, .refreshedObjectIDs) }
                mergeInsertion(known ?? makeFault(place.registry, key: place.key, row: nil))
            }
        }
        guard !merged.isEmpty else { return }
        processPendingChanges(propagatingDeletes: propagatesDeletesAtEndOfEvent, as: .merge(by: changes.author))
        // They would keep merged objects that are not held elsewhere.
        changeLists.forgetSets()
        NotificationCenter.default.post(
            name: .NSManagedObjectContextDidMergeChangesObjectIDs, object: self,
            userInfo: Dictionary(merged.map { ($0.key.rawValue, $0.value as Any) }, uniquingKeysWith: { first, _ in first }))
    }

    private final func mergeInsertion(_ object: NSManagedObject) {
        guard object._state.isDisjoint(with: [.inserted, .eventInserted]) else { return }
        // An object that comes and that a delete rule deletes here at once never existed for observers.
        guard !object.isDeleted || object._state.contains(.eventDeleted) && !telling.insertions.contains(object) else { return }
        changeLists.addToEvent(inserted: object)
    }

    /// - Returns: whether the object was refreshed.
    private final func mergeUpdate(of object: NSManagedObject) -> Bool {
        let state = object._state
        guard !state.contains(.inserted) else { return false }
        if state.contains(.deletedElsewhere) {
            if let fresh = freshRow(of: object) { mergeReturn(of: object, with: fresh) }
            return false
        }
        if state.contains(.deleted) {
            // It stays deleted, without a conflict.
            if object.row != nil, let fresh = freshRow(of: object) { object.deleteVersion(fresh) }
            return false
        }
        guard !object.isFault else {
            object.keepReplacedState()
            object.row = nil
            // Relationships may be loaded and changed without the object's own values.
            if state.contains(.updated) { object.readMembersAgain() } else { object.clearLinks() }
            return false
        }
        if state.contains(.updated) {
            merge(object)
            noteUpdated(object)
        } else {
            object.keepReplacedState()
            object.turnIntoFault()
        }
        noteRefreshed(object)
        return true
    }
}

import DataModel
import Foundation
import Storage

/// The source of a report about changes of others.
enum MergeSource {
    /// The notice of a save. It may come late: a row that it lists as deleted may have been brought back since.
    case notice
    /// The program. Its report is true.
    case command
    /// The context itself, which has executed a batch request. The changes form one event with its earlier ones.
    case ownRequest
}

/// Takes the changes of others over into one context.
///
/// The phases come in this order: an object that is deleted is not updated; objects that are updated may show that the
/// delete rules of this context's own deletions have more to do; new objects come last, because delete rules may delete
/// them at once.
struct MergeRun {
    private typealias Place = (registry: ObjectRegistry, key: Int64)

    private let context: NSManagedObjectContext
    private let changes: ForeignChanges
    private var places: ObjectPlaces
    /// What is reported, in the context's own IDs.
    private var merged: [NSManagedObjectContext.NotificationKey: Set<NSManagedObjectID>] = [:]
    /// Objects that are reported as deleted, but whose rows exist.
    private var returned: Set<NSManagedObject> = []
    /// Updated objects that this context deletes.
    private var deletedHere: [NSManagedObject] = []

    init(_ changes: ForeignChanges, into context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) {
        self.context = context
        self.changes = changes
        places = ObjectPlaces(context, coordinator)
    }

    mutating func run(_ source: MergeSource) {
        mergeDeletions(source)
        mergeReturns()
        mergeUpdates()
        context.applyDeleteRulesAgain(to: deletedHere)
        mergeInsertions()
        if !merged.isEmpty { tell() }
    }

    // MARK: Phases

    private mutating func mergeDeletions(_ source: MergeSource) {
        var deleted: [NSManagedObject] = []
        for id in changes.deleted {
            guard let place = places.place(of: id) else { continue }
            guard let object = place.registry.object(place.key) else {
                note(id, place, .deletedObjectIDs)
                continue
            }
            deleted.append(object)
        }
        if source == .notice {
            returned = context.objectsWithRows(among: deleted)
            deleted.removeAll(where: returned.contains)
        }
        for object in deleted {
            note(object.objectID, (object.registry, object.key), .deletedObjectIDs)
            context.mergeDeletion(of: object)
        }
        context.forget(deleted)
    }

    private mutating func mergeReturns() {
        for object in returned {
            let place = (object.registry, object.key)
            note(object.objectID, place, .updatedObjectIDs)
            update(object, object.objectID, place)
        }
    }

    private mutating func mergeUpdates() {
        let observers = context.roundObservers
        for id in changes.updated {
            guard let place = places.place(of: id) else { continue }
            note(id, place, .updatedObjectIDs)
            if let object = place.registry.object(place.key) {
                update(object, id, place)
            } else if changes.notice?.isUnchanged(id) != true,
                observers.contains(where: { $0._watches(entity: place.registry.layout.index, in: context) })
            {
                let object = context.makeFault(place.registry, key: place.key, row: nil)
                context.event.noteQuietlyChanged(object, isKnown: false)
            }
        }
    }

    private mutating func mergeInsertions() {
        for id in changes.inserted {
            guard let place = places.place(of: id) else { continue }
            note(id, place, .insertedObjectIDs)
            let known = place.registry.object(place.key)
            if let known, known._state.contains(.pushedAsNew) {
                known._state.remove(.pushedAsNew)
                if refresh(known) { note(id, place, .refreshedObjectIDs) }
            } else {
                // A child may have read it before its parent saved it, and the parent may have changed it in between.
                if let known, context.parent != nil, refresh(known) { note(id, place, .refreshedObjectIDs) }
                insert(known ?? context.makeFault(place.registry, key: place.key, row: nil))
            }
        }
    }

    private func tell() {
        context.processPendingChanges(
            propagatingDeletes: context.propagatesDeletesAtEndOfEvent, as: .merge(by: changes.author))
        // They would keep merged objects that are not held elsewhere.
        context.changeLists.forgetSets()
        NotificationCenter.default.post(
            name: .NSManagedObjectContextDidMergeChangesObjectIDs, object: context,
            userInfo: Dictionary(merged.map { ($0.key.rawValue, $0.value as Any) }, uniquingKeysWith: { first, _ in first }))
    }

    // MARK: One object

    /// Notes the ID that the object has in this context.
    private mutating func note(_ id: NSManagedObjectID, _ place: Place, _ key: NSManagedObjectContext.NotificationKey) {
        let (registry, store) = (place.registry, place.registry.store)
        let own =
            id.storeReference === store && id.key == place.key
            ? id
            : NSManagedObjectID(runtime: context.runtime, entityIndex: registry.layout.index, key: place.key, store: store)
        merged[key, default: []].insert(own)
    }

    private mutating func update(_ object: NSManagedObject, _ id: NSManagedObjectID, _ place: Place) {
        let isUnchanged = changes.notice?.isUnchanged(id) ?? false
        if refresh(object) {
            note(id, place, .refreshedObjectIDs)
        } else if !context.shared.observers.isEmpty, context.event.replaced[ObjectIdentifier(object)] == nil, !isUnchanged {
            let isKnown = object._state.isDisjoint(with: [.inserted, .updated, .deleted, .deletedElsewhere])
            context.event.noteQuietlyChanged(object, isKnown: isKnown)
        }
        if let said = changes.notice?.memberSlots(of: id, in: place.registry.layout), !said.isEmpty {
            context.event.noteSaid(said, of: object)
        }
        if object.isDeleted { deletedHere.append(object) }
    }

    private func insert(_ object: NSManagedObject) {
        guard object._state.isDisjoint(with: [.inserted, .eventInserted]) else { return }
        // An object that comes and that a delete rule deletes here at once never existed for observers.
        guard !object.isDeleted || object._state.contains(.eventDeleted) && !context.telling.insertions.contains(object) else {
            return
        }
        context.changeLists.addToEvent(inserted: object)
    }

    /// - Returns: whether the object was refreshed.
    private func refresh(_ object: NSManagedObject) -> Bool {
        let state = object._state
        guard !state.contains(.inserted) else { return false }
        if state.contains(.deletedElsewhere) {
            if let fresh = context.freshRow(of: object) { context.mergeReturn(of: object, with: fresh) }
            return false
        }
        if state.contains(.deleted) {
            // It stays deleted, without a conflict.
            if object.row != nil, let fresh = context.freshRow(of: object) { object.deleteVersion(fresh) }
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
            context.merge(object)
            context.noteUpdated(object)
        } else {
            object.keepReplacedState()
            object.turnIntoFault()
        }
        context.noteRefreshed(object)
        return true
    }
}

import DataModel
import Foundation
import Storage
import Synchronization

/// What a save tells besides its objects: who saved, what was written as it was, and which relationships others can't see to have changed.
package final class SaveNotice: Sendable {
    struct Place: Hashable {
        let store: String
        let root: String
        let key: Int64
    }

    /// The author of the context at that time.
    package let author: String?
    /// Recognises a notification of the save, of objects or of IDs.
    fileprivate let mark: Int
    /// Objects that were set to the values they had, and deleted ones whose rows others had deleted.
    private let unchanged: Set<Place>
    /// The names of to-many relationships that have other members.
    private let members: [Place: [String]]

    fileprivate init(author: String?, mark: Int, unchanged: Set<Place> = [], members: [Place: [String]] = [:]) {
        self.author = author
        self.mark = mark
        self.unchanged = unchanged
        self.members = members
    }

    /// Whether the save changed nothing of an object of the context that saved: it is as it was before, or was gone already.
    package func isUnchanged(_ object: NSManagedObject) -> Bool { !unchanged.isEmpty && unchanged.contains(object.savedPlace) }

    func isUnchanged(_ id: NSManagedObjectID) -> Bool { !unchanged.isEmpty && unchanged.contains(id.savedPlace) }

    /// The slots, in another layout, of the relationships of an object that have other members.
    func memberSlots(of id: NSManagedObjectID, in layout: EntityLayout) -> SlotMask {
        var result = SlotMask()
        guard !members.isEmpty, let names = members[id.savedPlace] else { return result }
        for name in names { if let slot = layout.relationship(named: name)?.slot { result.insert(slot) } }
        return result
    }
}

/// The saves of a context of late.
///
/// A notification can be merged later, on another thread, when the context has another author by then: it is recognised by what it has.
final class SaveNotices: Sendable {
    private static let greatestCount = 64
    private let notices = Mutex<[SaveNotice]>([])

    func add(_ notice: SaveNotice) {
        notices.withLock { notices in
            if notices.count == Self.greatestCount { notices.removeFirst() }
            notices.append(notice)
        }
    }

    /// The save that a notification of the context tells of; nil if it is none, or too long ago.
    func notice(of info: [AnyHashable: Any]) -> SaveNotice? {
        let mark = SaveMark(info)
        return notices.withLock { notices in notices.last { $0.mark == mark.value } }
    }
}

/// A number that two notifications of one save have in common, and others hardly.
private struct SaveMark {
    private(set) var value = 0

    init() {}

    init(_ info: [AnyHashable: Any]) {
        let keys: [[NSManagedObjectContext.NotificationKey]] = [
            [.insertedObjects, .insertedObjectIDs], [.updatedObjects, .updatedObjectIDs], [.deletedObjects, .deletedObjectIDs],
        ]
        for (kind, keys) in keys.enumerated() {
            for key in keys {
                switch info[key.rawValue] {
                case let objects as Set<NSManagedObject>: for object in objects { add(object.key, kind) }
                case let ids as Set<NSManagedObjectID>: for id in ids { add(id.key, kind) }
                default: break
                }
            }
        }
    }

    mutating func add(_ key: Int64, _ kind: Int) {
        // The order of the objects does not matter.
        var bits = UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(kind + 1) &* 0xD1B5_4A32_D192_ED03
        bits ^= bits >> 29
        bits = bits &* 0xBF58_476D_1CE4_E5B9
        value = value &+ Int(truncatingIfNeeded: bits ^ bits >> 32)
    }
}

/// What a save is about to write that differs from what there was.
struct SavedDifferences {
    private var unchanged: Set<SaveNotice.Place> = []
    private var members: [SaveNotice.Place: [String]] = [:]

    /// Before the save is written: afterwards nobody knows it any more.
    init(_ context: NSManagedObjectContext) {
        guard ChangeInterest.exists else { return }
        context.updatedList.forEachUnretained { object in
            guard object.isUpdated else { return }
            let slots = object.changedSlots(persistentOnly: true)
            if slots.isEmpty {
                unchanged.insert(object.savedPlace)
            } else if object.links != nil {
                let names = object.layout.relationships.filter { $0.isToMany && slots.contains($0.slot) }.map(\.name)
                if !names.isEmpty { members[object.savedPlace] = names }
            }
        }
        context.deletedList.forEachUnretained { object in
            if object._state.isSuperset(of: [.deleted, .deletedElsewhere]) { unchanged.insert(object.savedPlace) }
        }
    }

    /// Notes deleted objects whose rows turned out to be gone already.
    mutating func leaveOut(_ objects: [NSManagedObject]) {
        guard ChangeInterest.exists else { return }
        for object in objects { unchanged.insert(object.savedPlace) }
    }

    /// - Parameter objects: what was saved, in the lists of the notifications.
    func notice(
        author: String?, inserted: ContiguousArray<NSManagedObject>, updated: ContiguousArray<NSManagedObject>,
        deleted: ContiguousArray<NSManagedObject>
    ) -> SaveNotice {
        var mark = SaveMark()
        for (kind, list) in [inserted, updated, deleted].enumerated() { list.forEachUnretained { mark.add($0.key, kind) } }
        return SaveNotice(author: author, mark: mark.value, unchanged: unchanged, members: members)
    }
}

extension NSManagedObject {
    fileprivate final var savedPlace: SaveNotice.Place {
        SaveNotice.Place(
            store: registry.store?.identifier ?? "", root: registry.runtime.layout.entities[layout.root].name, key: key)
    }
}

extension NSManagedObjectID {
    fileprivate final var savedPlace: SaveNotice.Place {
        let entities = runtime.layout.entities
        return SaveNotice.Place(
            store: storeReference?.identifier ?? "", root: entities[entities[entityIndex].root].name, key: key)
    }
}

extension NSManagedObjectContext {
    /// The save that is being told of now.
    package final var saveBeingTold: SaveNotice? { savesBeingTold.last }
}

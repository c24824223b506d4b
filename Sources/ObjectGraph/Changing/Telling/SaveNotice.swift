import DataModel
import Foundation
import Storage
import Synchronization

/// Facts about a save besides its objects: its author, the objects that were written unchanged, and the changed
/// relationships that others can't see.
package final class SaveNotice: Sendable {
    struct Place: Hashable {
        let store: String
        let root: String
        let key: Int64
    }

    /// The author of the context at that time.
    package let author: String?
    /// Identifies a notification of the save, of objects or of IDs.
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

    /// Whether the save did not change an object of the context that saved: it has the values it had, or was gone
    /// already.
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

/// The recent saves of a context.
///
/// A notification can be merged later, on another thread, when the context may have another author. It is identified by
/// its content.
final class SaveNotices: Sendable {
    private static let greatestCount = 64
    private let notices = Mutex<[SaveNotice]>([])

    func add(_ notice: SaveNotice) {
        notices.withLock { notices in
            if notices.count == Self.greatestCount { notices.removeFirst() }
            notices.append(notice)
        }
    }

    /// The save of a notification of the context; nil if it is not one of a save, or if the save is too long ago.
    func notice(of info: [AnyHashable: Any]) -> SaveNotice? {
        let mark = SaveMark(info)
        return notices.withLock { notices in notices.last { $0.mark == mark.value } }
    }
}

/// A number that two notifications of one save have in common, and that other notifications hardly have.
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

/// The differences between what a save is about to write and what was there before.
struct SavedDifferences {
    private var unchanged: Set<SaveNotice.Place> = []
    private var members: [SaveNotice.Place: [String]] = [:]

    /// It is made before the save is written, because the differences are not known afterwards.
    init(_ context: NSManagedObjectContext) {
        guard ChangeInterest.exists else { return }
        context.changeLists.updated.forEachUnretained { object in
            guard object.isUpdated else { return }
            let slots = object.changedSlots(persistentOnly: true)
            if slots.isEmpty {
                unchanged.insert(object.savedPlace)
            } else if object.links != nil {
                let names = object.layout.relationships.filter { $0.isToMany && slots.contains($0.slot) }.map(\.name)
                if !names.isEmpty { members[object.savedPlace] = names }
            }
        }
        context.changeLists.deleted.forEachUnretained { object in
            if object._state.isSuperset(of: [.deleted, .deletedElsewhere]) { unchanged.insert(object.savedPlace) }
        }
    }

    /// Notes deleted objects whose rows turned out to be gone already.
    mutating func leaveOut(_ objects: [NSManagedObject]) {
        guard ChangeInterest.exists else { return }
        for object in objects { unchanged.insert(object.savedPlace) }
    }

    /// Makes the notice of the save.
    ///
    /// - Parameter ids: The saved objects, as in the notifications.
    func notice(author: String?, _ ids: SavedObjectIDs) -> SaveNotice {
        var mark = SaveMark()
        for (kind, places) in [ids.inserted, ids.updated, ids.deleted].enumerated() {
            for key in places.allKeys { mark.add(key, kind) }
        }
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
    /// The save that observers are being told of now.
    package final var saveBeingTold: SaveNotice? { telling.saves.last }
}

import Foundation
import Storage
import Synchronization

/// Numbers that were set by key and that their attributes can't hold: 4.5 or 2^64 for an integer.
///
/// Setting such a number must not stop the program, and the slot has no room for it. So the slot has the nearest
/// number, and saving refuses the number that was set. An object with such numbers is marked, and each later change of
/// it takes the slow path.
enum UnfitValues {
    private static let values = Mutex<[ObjectIdentifier: [Int: (number: NSNumber, nearest: UInt64)]]>([:])

    static func note(_ number: NSNumber, _ object: NSManagedObject, slot: Int) {
        guard let nearest = object._slots?[slot] else { return }
        object._state.insert(.hasUnfitValues)
        object._state.remove(.writable)
        values.withLock { $0[ObjectIdentifier(object), default: [:]][slot] = (number, nearest) }
    }

    /// Must be called when another value was set.
    static func forget(_ object: NSManagedObject, slot: Int) {
        values.withLock { _ = $0[ObjectIdentifier(object)]?.removeValue(forKey: slot) }
    }

    static func forgetAll(_ object: NSManagedObject) {
        object._state.remove(.hasUnfitValues)
        values.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(object)) }
    }

    /// The number that was set, unless the slot has received another value since.
    static func value(_ object: NSManagedObject, slot: Int) -> NSNumber? {
        guard object._state.contains(.hasUnfitValues), let row = object.row, !row.isNil(slot),
            let found = values.withLock({ $0[ObjectIdentifier(object)]?[slot] }), row.slots[slot] == found.nearest
        else { return nil }
        return found.number
    }

    /// The slots that have such a number, in order.
    static func slots(_ object: NSManagedObject) -> [Int] {
        guard object._state.contains(.hasUnfitValues) else { return [] }
        let known = values.withLock { $0[ObjectIdentifier(object)].map { Array($0.keys) } ?? [] }
        return known.filter { value(object, slot: $0) != nil }.sorted()
    }
}

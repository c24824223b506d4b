import CSwiftRuntime
import Synchronization

/// Records the objects whose hash is asked for, while a set of objects is changed in place.
///
/// A Swift set asks each object that is put in, looked up or taken out for its hash. So the recorder has all objects
/// that may have come or gone, and the change of a large set is found without comparing all of it. Objects that other
/// threads ask meanwhile are recorded, too: the recorder tells which objects to look at, and not what changed.
///
/// `@unchecked Sendable`: the objects are only touched under the lock of `active`, or after the end.
package final class HashRecorder: @unchecked Sendable {
    private static let active = Mutex<[HashRecorder]>([])
    /// The number of active recorders, which each question for a hash reads.
    private static let activeCount = Atomic<Int>(0)

    private let greatestCount: Int
    private var objects: [ObjectIdentifier: NSManagedObject] = [:]

    /// Begins to record.
    ///
    /// - Parameter greatestCount: With more objects than that the recorder gives up.
    package init(atMost greatestCount: Int) {
        self.greatestCount = greatestCount
        Self.active.withLock { active in
            active.append(self)
            Self.activeCount.store(active.count, ordering: .relaxed)
        }
    }

    /// Ends the recording.
    ///
    /// - Returns: the objects; nil if there were too many.
    package func end() -> [NSManagedObject]? {
        Self.active.withLock { Self.remove(self, from: &$0) } ? Array(objects.values) : nil
    }

    /// - Returns: false if it was removed before.
    private static func remove(_ recorder: HashRecorder, from active: inout [HashRecorder]) -> Bool {
        let count = active.count
        active.removeAll { $0 === recorder }
        activeCount.store(active.count, ordering: .relaxed)
        return active.count < count
    }

    @inline(__always) static func note(_ object: NSManagedObject) {
        if activeCount.load(ordering: .relaxed) > 0 { record(object) }
    }

    @inline(never) private static func record(_ object: NSManagedObject) {
        // An object that is being destroyed is in no set.
        guard let retained = swift_tryRetain(Unmanaged.passUnretained(object).toOpaque()) else { return }
        let held = Unmanaged<NSManagedObject>.fromOpaque(retained).takeRetainedValue()
        active.withLock { active in
            for recorder in active {
                recorder.objects[ObjectIdentifier(held)] = held
                if recorder.objects.count > recorder.greatestCount { _ = remove(recorder, from: &active) }
            }
        }
    }
}

import DataModel
import Storage

/// Key-value observing. Setters read the flag for tracking anyway, and it shows whether the object has observers.
extension NSManagedObject {
    /// Adds an observer of all changes of some slots, until it is removed or the object ends. Must be called on the
    /// context's queue.
    package final func addObserver(_ observer: any KeyValueObserver, slots: Set<Int>) {
        // After a reset, or after its deletion was saved, the object does not change.
        guard !_state.contains(.gone) else { return }
        KeyValueObservers.add(observer, slots: slots, to: ObjectIdentifier(self))
        _state.insert([.isTracked, .isObserved])
        // From now on each write takes the slow path.
        _state.remove(.writable)
        context?.observing.begin()
    }

    /// Callable on every thread.
    package static func removeObserver(_ observer: any KeyValueObserver, from object: ObjectIdentifier) {
        KeyValueObservers.remove(observer, from: object)
    }

    /// The slots of the object that are read while `body` runs.
    package final func slotsRead(_ body: () -> Void) -> Set<Int> {
        let recorder = ReadingRecorder(self)
        let wasTracked = _state.contains(.tracksReading)
        _state.insert([.tracksReading, .recordsReading])
        defer {
            _state.remove(.recordsReading)
            if !wasTracked { _state.remove(.tracksReading) }
            recorder.end()
        }
        body()
        return recorder.slots
    }

    /// Whether the values can be read: the object was not reset, and if it was deleted, its values are still there.
    package final var hasReadableValues: Bool { _slots != nil || reasonForNoValues == nil && !_state.contains(.gone) }

    // MARK: What setters call

    @inline(never) final func willChangeObserved(_ slot: Int) {
        guard let context else { return }
        let changes = context.observing.begin()
        // The other side of a relationship changes inside a setter.
        let isAttribute = layout.relationshipIndex(slot) < 0
        for slot in [slot] + wholes(with: slot) { changes.willChange(self, slot, isFirst: isAttribute) }
        // An observer may have reset the context, or saved the object's deletion. The value that is being set is lost
        // then.
        if _slots == nil, reasonForNoValues != nil { becomeEmptyForGood() }
    }

    @inline(never) final func didChangeObserved(_ slot: Int) {
        guard let changes = context?.observing.changes else { return }
        for slot in [slot] + wholes(with: slot) { changes.didChange(self, slot) }
    }

    /// Notes the observed properties that a round of replaced values has changed.
    final func noteReplacedObserved(_ past: RoundPast) {
        guard _state.contains(.isObserved), _state.isDisjoint(with: [.deleted, .gone]), let changes = context?.observing.changes
        else { return }
        for slot in KeyValueObservers.slots(of: ObjectIdentifier(self)) where past.hasChanged(self, parts(of: slot)) {
            changes.hasChanged(self, slot)
        }
    }

    /// The slots of a composite's elements; for any other property its own slot.
    private final func parts(of slot: Int) -> SlotMask {
        var mask = SlotMask()
        let composite = layout.kind(slot) == .vacant ? layout.composites[layout.slots[slot].name] : nil
        for slot in composite?.slots ?? [slot] { mask.insert(slot) }
        return mask
    }

    private final func becomeEmptyForGood() {
        let empty = Row.emptyDraft(layout)
        row = empty
        _slots = empty.slots
        _state.insert(.draft)
    }

    /// The slots that stand for the composites that a slot is an element of.
    private final func wholes(with slot: Int) -> [Int] {
        layout.composites.compactMap { name, composite in composite.slots.contains(slot) ? compositeSlot(forKey: name) : nil }
    }

    /// Runs the setter of a relationship, and then tells observers.
    @inline(__always) final func settingRelationship(_ slot: Int, _ body: () -> Void) {
        if registry.record.pointee.context?._withUnsafeGuaranteedRef({ $0.observing.changes == nil }) != false { return body() }
        context?.observing.changes?.changing(self, slot, body)
    }
}

/// Records the properties of one object that are read.
final class ReadingRecorder {
    private let object: NSManagedObject
    private(set) var slots: Set<Int> = []

    init(_ object: NSManagedObject) {
        self.object = object
        object.context?.observing.add(self)
    }

    func end() { object.context?.observing.remove(self) }

    func note(_ slot: Int, of other: NSManagedObject) {
        if other === object { slots.insert(slot) }
    }
}

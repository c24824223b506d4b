import DataModel
import Storage

extension NSManagedObject {
    /// Registers the reading of a property with `withObservationTracking`, if the context tracks observation. Accessors
    /// call it.
    @inlinable @inline(__always) public final func _noteReading(_ slot: Int) {
        if _slowPath(_state.contains(.tracksReading)) { noteReading(slot) }
    }

    @usableFromInline @inline(never) final func noteReading(_ slot: Int) {
        if _state.contains(.recordsReading) {
            for recorder in context?.observing.recorders ?? [] { recorder.note(slot, of: self) }
        }
        guard let tracking = registry.record.pointee.context?._withUnsafeGuaranteedRef({ $0.shared.tracking }),
            tracking.access(self, slot: slot)
        else { return }
        // From now on each write takes the slow path.
        _state.insert(.isTracked)
        _state.remove(.writable)
    }

    /// Must be called before a property is changed. It tells the property's trackers, and has rounds that are being
    /// told write down the present value.
    @inline(__always) final func prepareChange(_ slot: Int) {
        if _state.contains(.isTracked) { tellTrackers(slot) }
        // The context is not retained, because it is only asked.
        if registry.record.pointee.context?._withUnsafeGuaranteedRef({ $0.telling.isTelling }) == true {
            context?.settleRounds(for: self)
        }
    }

    @inline(never) private final func tellTrackers(_ slot: Int) {
        if _state.contains(.isObserved) { willChangeObserved(slot) }
        guard let context else { return }
        context.shared.tracking.willSet(self, slot: slot)
        for (name, composite) in layout.composites where composite.slots.contains(slot) {
            if let whole = compositeSlot(forKey: name) { context.shared.tracking.willSet(self, slot: whole) }
        }
    }

    final func endTracking() {
        guard _state.contains(.isTracked) else { return }
        if _state.contains(.isObserved) { KeyValueObservers.removeAll(from: ObjectIdentifier(self)) }
        _state.subtract([.isTracked, .isObserved])
        context?.shared.tracking.forget(ObjectIdentifier(self))
    }

    /// Tells the trackers of all properties of an object whose values were replaced.
    final func tellTrackersOfAll() {
        guard _state.contains(.isTracked), let context else { return }
        for slot in layout.slots.indices { context.shared.tracking.willSet(self, slot: slot) }
    }
}

extension NSManagedObjectContext {
    /// Whether reading a property of the context's objects inside `withObservationTracking(_:onChange:)` registers it,
    /// so that `onChange` is called when the property is about to change: when it is set, by a merge, a refresh or an
    /// undo, or because the object is deleted.
    ///
    /// ```swift
    /// withObservationTracking { label.text = movie.title } onChange: { Task { await render() } }
    /// ```
    ///
    /// True for main-queue contexts, false for others: tracking makes each reading of a property slower, from about 2
    /// to about 15 ns. This is an addition to Apple's API, where objects don't take part in observation. Set it on the
    /// context's queue.
    public final var tracksObservation: Bool {
        get { observing.objectState == .tracksReading }
        set {
            observing.objectState = newValue ? .tracksReading : []
            for object in allObjects {
                if newValue { object._state.insert(.tracksReading) } else { object._state.remove(.tracksReading) }
            }
        }
    }
}

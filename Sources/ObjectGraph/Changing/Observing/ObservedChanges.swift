/// The changes of observed properties that one context has to report.
///
/// Observers are called when a setter has made all its changes, such as those of both sides of a relationship. They may
/// then change, delete and reset anything. Confined to the context's queue.
final class ObservedChanges {
    private struct Change {
        let object: NSManagedObject
        let slot: Int
        let observer: any KeyValueObserver
        let hasToldPrior: Bool
    }

    private var changes: [Change] = []
    /// The number of nested setters that change several objects.
    private var depth = 0

    /// A property is about to change.
    ///
    /// - Parameter isFirst: whether no value has changed yet, so that observers may be called.
    func willChange(_ object: NSManagedObject, _ slot: Int, isFirst: Bool) {
        guard object._state.contains(.isObserved) else { return }
        let isFirst = isFirst && depth == 0
        for observer in KeyValueObservers.observers(of: slot, of: ObjectIdentifier(object)) {
            if changes.contains(where: { $0.observer === observer }) { continue }
            observer.keepOldValue()
            // The observer is called before the change is noted, so that its own changes are reported separately.
            if isFirst { observer.tellPrior() }
            // The observer may have reset the context.
            guard object._state.contains(.isObserved) else { return }
            changes.append(Change(object: object, slot: slot, observer: observer, hasToldPrior: isFirst))
        }
    }

    /// A property was changed without a call of `willChange`.
    func hasChanged(_ object: NSManagedObject, _ slot: Int) {
        for observer in KeyValueObservers.observers(of: slot, of: ObjectIdentifier(object))
        where !changes.contains(where: { $0.observer === observer }) {
            changes.append(Change(object: object, slot: slot, observer: observer, hasToldPrior: false))
        }
    }

    /// An attribute's setter is done.
    func didChange(_ object: NSManagedObject, _ slot: Int) {
        guard depth == 0 else { return }
        tell { $0.object === object && $0.slot == slot }
    }

    /// Runs a setter that changes several objects.
    func changing(_ object: NSManagedObject, _ slot: Int, _ body: () -> Void) {
        let wasGone = object._state.contains(.gone)
        willChange(object, slot, isFirst: true)
        // An observer may have reset the context, or saved the object's deletion. There is nothing left to relate then.
        if !wasGone, object._state.contains(.gone) { return tellAll() }
        depth += 1
        body()
        depth -= 1
        tellAll()
    }

    /// Must be called when no change is half done.
    func tellAll() {
        guard depth == 0, !changes.isEmpty else { return }
        tell { _ in true }
    }

    private func tell(where isDue: (Change) -> Bool) {
        while let index = changes.firstIndex(where: isDue) {
            let change = changes.remove(at: index)
            // Another observer may have removed it.
            guard KeyValueObservers.contains(change.observer, of: ObjectIdentifier(change.object)) else { continue }
            if !change.hasToldPrior { change.observer.tellPrior() }
            change.observer.tellChange()
        }
    }
}

/// The changes of observed properties that one context has to tell of.
///
/// Observers are called when a setter is done with all that it changes, both sides of a relationship for one: then they may
/// change, delete and reset what they like. Confined to
/// the context's queue.
final class ObservedChanges {
    private struct Change {
        let object: NSManagedObject
        let slot: Int
        let observer: any KeyValueObserver
        let hasToldPrior: Bool
    }

    private var changes: [Change] = []
    /// How many setters that change several objects are at work, one inside the other.
    private var depth = 0

    /// A property is about to change.
    ///
    /// - Parameter isFirst: whether nothing has changed yet, so that observers may be called.
    func willChange(_ object: NSManagedObject, _ slot: Int, isFirst: Bool) {
        guard object._state.contains(.isObserved) else { return }
        let isFirst = isFirst && depth == 0
        for observer in KeyValueObservers.observers(of: slot, of: ObjectIdentifier(object)) {
            if changes.contains(where: { $0.observer === observer }) { continue }
            observer.keepOldValue()
            // Called before it is noted, so that what it changes itself is told by itself.
            if isFirst { observer.tellPrior() }
            // It may have reset the context.
            guard object._state.contains(.isObserved) else { return }
            changes.append(Change(object: object, slot: slot, observer: observer, hasToldPrior: isFirst))
        }
    }

    /// A property was changed while nobody looked.
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
        // Who was told may have reset the context, or saved the object's deletion: there is nothing left to relate.
        if !wasGone, object._state.contains(.gone) { return tellAll() }
        depth += 1
        body()
        depth -= 1
        tellAll()
    }

    /// To be called whenever no change is half done.
    func tellAll() {
        guard depth == 0, !changes.isEmpty else { return }
        tell { _ in true }
    }

    private func tell(where isDue: (Change) -> Bool) {
        while let index = changes.firstIndex(where: isDue) {
            let change = changes.remove(at: index)
            // It may have been removed by another one.
            guard KeyValueObservers.contains(change.observer, of: ObjectIdentifier(change.object)) else { continue }
            if !change.hasToldPrior { change.observer.tellPrior() }
            change.observer.tellChange()
        }
    }
}

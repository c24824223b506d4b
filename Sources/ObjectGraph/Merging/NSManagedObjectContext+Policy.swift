import DataModel
public import Foundation
import Storage

extension NSManagedObjectContext {
    /// The policy for conflicts of a save: an ``NSMergePolicy``. It is ``NSMergePolicy/error`` unless set.
    ///
    /// Stops the program if it is set to something else. A child context does not need one: its save goes to its
    /// parent, and conflicts come up when the parent saves, under the parent's policy.
    public final var mergePolicy: Any {
        get { merging.policy }
        set {
            guard let policy = newValue as? NSMergePolicy else {
                fatalError("The mergePolicy of \(self) must be an NSMergePolicy, and was set to a \(type(of: newValue))")
            }
            merging.policy = policy
        }
    }

    /// Makes the next save check that an object's row is still the one that the context read, even if the object is not
    /// changed.
    ///
    /// If the row has changed, it is a conflict as if the object were changed; the merge policy decides.
    ///
    /// - Parameter object: An object of this context. The call has no effect for new objects and for faults, which have
    ///   no version yet.
    public final func detectConflicts(for object: NSManagedObject) {
        guard object.context === self, !object._state.contains(.inserted), object.row != nil else { return }
        merging.check(object)
    }

    /// Says whether values from a fetch may be used when a fault is fired later.
    ///
    /// Below zero, the default: they are used, unless another context of the coordinator has saved newer ones. Zero or
    /// more: a fault that is fired reads its values from the store, even if the fetch that found it had read them. A
    /// refreshed object always reads the store, because there is no row cache. So values are never older than any
    /// interval. It has no effect in a child context, which reads from its parent.
    public final var stalenessInterval: TimeInterval {
        get { moment.stalenessInterval }
        set { moment.stalenessInterval = newValue }
    }

    /// Chooses the store that a new object is saved to. Without this it is the first store that can be written and
    /// holds the object's entity.
    ///
    /// Stops the program for an object that is not of this context or was saved already, and for a store that can't take it.
    ///
    /// - Parameters:
    ///   - object: A new `NSManagedObject` of this context.
    ///   - store: A store of the context's coordinator whose configuration holds the object's entity.
    public final func assign(_ object: Any, to store: NSPersistentStore) {
        guard let object = object as? NSManagedObject, object.context === self else {
            fatalError("\(object) can't be assigned to a store: it is not an object of \(self)")
        }
        guard object._state.contains(.inserted), object.registry.store == nil else {
            fatalError("\(object.objectID) can't be assigned to a store: it already has one")
        }
        guard persistentStoreCoordinator?.persistentStores.contains(store) == true else {
            fatalError(
                "\(object.objectID) can't be assigned to a store that the coordinator does not have (\(store.url?.path ?? store.identifier ?? ""))"
            )
        }
        guard store.holds(object.layout.name), !store.isReadOnly else {
            let reason = store.isReadOnly ? "was opened read-only" : "does not hold the entity “\(object.layout.name)”"
            fatalError(
                "\(object.objectID) can't be assigned to the store \(store.url?.path ?? store.identifier ?? ""): it \(reason)")
        }
        saving.assign(object, to: store)
    }
}

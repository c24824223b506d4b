import DataModel
public import Foundation
import Storage

extension NSManagedObjectContext {
    /// Takes over the changes that another context saved.
    ///
    /// Objects that were changed and that this context has loaded get the new values; local unsaved changes stay on top
    /// of them, property by property, and saving them is no longer a conflict. Objects that were deleted become deleted
    /// ones here, even if they have unsaved changes. Observers are told of new objects, which are faults.
    ///
    /// Posts `NSManagedObjectContextObjectsDidChange`, if there is anything to report, and
    /// `NSManagedObjectContextDidMergeChangesObjectIDs` before it returns. Call it on this context's queue.
    ///
    /// - Parameter notification: A `NSManagedObjectContextDidSave` or `NSManagedObjectContextDidSaveObjectIDs` of
    ///   another context, which may be one of another coordinator with the same store file. Objects of stores that this
    ///   context does not have are left out. The context's own notification has no effect.
    public final func mergeChanges(fromContextDidSave notification: Notification) {
        guard notification.object as AnyObject? !== self, let info = notification.userInfo else { return }
        merge(ForeignChanges(info, persistentStoreCoordinator, savedBy: notification.object as? NSManagedObjectContext))
    }

    /// Takes over changes that were made elsewhere, such as by a batch request or another process, in several contexts.
    ///
    /// Acts in each context like ``mergeChanges(fromContextDidSave:)``, on the context's queue, one after the other, in
    /// a parent before its children. It returns when all are done. May be called on every thread.
    ///
    /// - Parameters:
    ///   - changeNotificationData: Arrays or sets of ``NSManagedObjectID`` or of their URLs under
    ///     `NSInsertedObjectsKey`, `NSUpdatedObjectsKey`, `NSDeletedObjectsKey`, or the other keys of
    ///     ``NotificationKey``; refreshed and invalidated ones count as updated.
    ///   - contexts: The contexts.
    public class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) {
        guard !changeNotificationData.isEmpty else { return }
        merge(into: contexts) { ForeignChanges(changeNotificationData, $0.persistentStoreCoordinator) }
    }

    /// Merges changes into several contexts, in each of them on its queue.
    ///
    /// - Parameter source: the context among them that made the changes.
    class func merge(
        into contexts: [NSManagedObjectContext], of source: NSManagedObjectContext? = nil,
        _ changes: (NSManagedObjectContext) -> ForeignChanges
    ) {
        func depth(_ context: NSManagedObjectContext) -> Int { context.parent.map { depth($0) + 1 } ?? 0 }
        let depths = contexts.map(depth)
        for index in contexts.indices.sorted(by: { (depths[$0], $0) < (depths[$1], $1) }) {
            let context = contexts[index]
            let changes = changes(context)
            context.queue.sync { context.merge(changes, as: context === source ? .ownRequest : .command) }
        }
    }

    /// Whether the context merges by itself each save of the other contexts of its coordinator; as a child, each save
    /// of its parent. False by default.
    ///
    /// It merges on its own queue, after the save has returned. Saves made before this is set are not merged, nor are
    /// those of other coordinators and processes.
    public final var automaticallyMergesChangesFromParent: Bool {
        get { stackPlace.mergesAutomatically }
        set {
            guard newValue != stackPlace.mergesAutomatically else { return }
            stackPlace.mergesAutomatically = newValue
            if newValue { mergeSource?.add(self) } else { mergeSource?.remove(self) }
        }
    }

    /// The list of contexts that merge the same saves as this context.
    final var mergeSource: ContextList? { parent?.shared.receivers ?? persistentStoreCoordinator?.receivers }

    /// The contexts that merge this context's saves by themselves.
    final var receiversOfSaves: [NSManagedObjectContext] {
        let own = shared.receivers.contexts(except: self)
        guard parent == nil, let coordinator = persistentStoreCoordinator else { return own }
        return own + coordinator.receivers.contexts(except: self)
    }

    final func send(_ changes: ForeignChanges, to receivers: [NSManagedObjectContext]) {
        guard !changes.isEmpty else { return }
        for receiver in receivers {
            receiver.queue.async { [reference = receiver.reference] in
                guard let receiver = reference.context, receiver.stackPlace.mergesAutomatically else { return }
                receiver.merge(changes)
            }
        }
    }

    // MARK: Merging

    /// Takes over changes and reports them.
    final func merge(_ changes: ForeignChanges, as source: MergeSource = .notice) {
        guard let coordinator = persistentStoreCoordinator, !changes.isEmpty else { return }
        beginMutation()
        defer { endMutation() }
        // The context's own changes can be undone and are reported as such. The changes of others are not.
        if undoing.manager != nil || !shared.observers.isEmpty && source != .ownRequest { processOwnChanges() }
        advanceQueryGeneration()
        shared.newerRows.advance()
        adoptPermanentIDs()
        var run = MergeRun(changes, into: self, coordinator)
        run.run(source)
    }
}

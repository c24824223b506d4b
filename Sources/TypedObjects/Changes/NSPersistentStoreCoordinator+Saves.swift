import DataModel
import Foundation
public import ObjectGraph

extension NSPersistentStoreCoordinator {
    /// Describes saves that change objects of a class in one of the coordinator's stores. They can be observed by a handler or
    /// awaited in a loop. They are the saves of all contexts of this coordinator, and of other coordinators in this process that
    /// have the same store open.
    ///
    /// ```swift
    /// let observation = coordinator.changes(of: Movie.self).inserted().observe { ids in
    ///     print(ids.author ?? "somebody", "saved", ids.inserted.count, "new movies")
    /// }
    /// ```
    ///
    /// Each element is one save, and is told after the save is done. No save is left out, and the saves of one context come in
    /// order. An element has references, which may be used on every thread. Objects are not told if they were only set to the
    /// values that they had, or if others had deleted them before. Other contexts have not merged the save yet: fetch the objects
    /// of the references, or use the references in a context of your own. Batch requests and saves of other processes are not
    /// told. See `NSPersistentStoreRemoteChange` for these.
    ///
    /// A loop over the value ends when its task is cancelled. May be called on every thread.
    ///
    /// - Parameter type: The class. Objects of subclasses count too.
    public func changes<Object: NSManagedObject>(of type: Object.Type)
        -> ManagedObjectChangeSequence<Object, ManagedObjectChangeIDs<Object>>
    {
        managedObjectModel.requireEntity(of: Object.self)
        return ManagedObjectChangeSequence { [weak self] condition, handler, _ in
            let center = NotificationCenter.default
            let kinds = condition.askedKinds
            // The handler is Sendable: `observe` accepts only Sendable handlers of references, and a continuation is Sendable.
            nonisolated(unsafe) let handler = handler
            ChangeInterest.note()
            // The token is only handed back to the center, which is allowed on every thread.
            nonisolated(unsafe) let token = center.addObserver(forName: .NSManagedObjectContextDidSave, object: nil, queue: nil) {
                [weak self] in
                guard let changes: ManagedObjectChangeIDs<Object> = self?.saved(by: $0, kinds), !changes.isEmpty else { return }
                handler(changes)
            }
            return ManagedObjectObservation { center.removeObserver(token) }
        }
    }

    /// The changes of a save in the stores of this coordinator. The save may be one of another coordinator.
    private func saved<Object: NSManagedObject>(by notification: Notification, _ kinds: Notification.ChangedType)
        -> ManagedObjectChangeIDs<Object>?
    {
        guard let context = notification.object as? NSManagedObjectContext, context.parent == nil else { return nil }
        let isOwn = context.persistentStoreCoordinator === self
        let notice = context.saveBeingTold
        let author = notice.map(\.author) ?? context.transactionAuthor
        return ManagedObjectChangeIDs<Object>(origin: isOwn ? .local : .merge, author: author) { kind in
            guard kinds.includes(kind) else { return [] }
            let references: [ManagedObjectID<Object>] = notification.objects(kind).compactMap { object in
                if kind != .inserted, notice?.isUnchanged(object) == true { return nil }
                return reference(to: object, isOwn: isOwn)
            }
            return Set(references)
        }
    }

    private func reference<Object: NSManagedObject>(to object: NSManagedObject, isOwn: Bool) -> ManagedObjectID<Object>? {
        guard let object = object as? Object else { return nil }
        if isOwn { return ManagedObjectID(object) }
        // The ID is nil if this coordinator does not have the object's store.
        guard let id = managedObjectID(forURIRepresentation: object.objectID.uriRepresentation()), let name = object.entity.name
        else { return nil }
        return ManagedObjectID(id, ofEntities: [name])
    }
}

extension NSPersistentContainer {
    /// Describes saves that change objects of a class. See ``NSPersistentStoreCoordinator/changes(of:)``.
    public func changes<Object: NSManagedObject>(of type: Object.Type)
        -> ManagedObjectChangeSequence<Object, ManagedObjectChangeIDs<Object>>
    {
        persistentStoreCoordinator.changes(of: type)
    }
}

extension Notification {
    /// The objects of one kind that a save wrote.
    fileprivate func objects(_ kind: ManagedObjectChangeKind) -> Set<NSManagedObject> {
        let key: String
        switch kind {
        case .inserted: key = NSInsertedObjectsKey
        case .updated: key = NSUpdatedObjectsKey
        case .deleted: key = NSDeletedObjectsKey
        default: return []
        }
        return userInfo?[key] as? Set<NSManagedObject> ?? []
    }
}

import DataModel
import Foundation
public import ObjectGraph

extension NSPersistentStoreCoordinator {
    /// Saves that change objects of a class in one of the coordinator's stores, to be observed or waited for: those of all
    /// contexts of this coordinator, and of other coordinators of this process that have the same store open.
    ///
    /// ```swift
    /// let observation = coordinator.changes(of: Movie.self).inserted().observe { ids in
    ///     print(ids.author ?? "somebody", "saved", ids.inserted.count, "new movies")
    /// }
    /// ```
    ///
    /// Each element is one save, told when it is done. No save is left out, and those of one context come in their order. What is
    /// told are references, which every thread may use. Objects that were only set to the values they had are not told of, nor
    /// deleted ones that others had deleted before. Contexts that merge changes have not done so yet: fetch what the references
    /// name, or use them in a context of your own. Batch requests and other processes are not heard of; see
    /// `NSPersistentStoreRemoteChange`.
    ///
    /// A loop over the value ends when its task is cancelled. Callable on every thread.
    ///
    /// - Parameter type: The class; objects of subclasses count as its own.
    public func changes<Object: NSManagedObject>(of type: Object.Type)
        -> ManagedObjectChangeSequence<Object, ManagedObjectChangeIDs<Object>>
    {
        managedObjectModel.requireEntity(of: Object.self)
        return ManagedObjectChangeSequence { [weak self] condition, handler, _ in
            let center = NotificationCenter.default
            let kinds = condition.askedKinds
            // `observe` takes only Sendable handlers of references, and a continuation is one.
            nonisolated(unsafe) let handler = handler
            ChangeInterest.note()
            // The token is only handed back to the center, on whatever thread.
            nonisolated(unsafe) let token = center.addObserver(forName: .NSManagedObjectContextDidSave, object: nil, queue: nil) {
                [weak self] in
                guard let changes: ManagedObjectChangeIDs<Object> = self?.saved(by: $0, kinds), !changes.isEmpty else { return }
                handler(changes)
            }
            return ManagedObjectObservation { center.removeObserver(token) }
        }
    }

    /// What a save, here or elsewhere, changed in the stores of this coordinator.
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
        // Nil if none of the stores here is the object's.
        guard let id = managedObjectID(forURIRepresentation: object.objectID.uriRepresentation()), let name = object.entity.name
        else { return nil }
        return ManagedObjectID(id, ofEntities: [name])
    }
}

extension NSPersistentContainer {
    /// Saves that change objects of a class, to be observed or waited for. See
    /// ``NSPersistentStoreCoordinator/changes(of:)``.
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

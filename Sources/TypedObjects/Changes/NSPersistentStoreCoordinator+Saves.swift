import Foundation
import ObjectGraph

extension NSPersistentStoreCoordinator {
    /// Tells of each save that changes objects of a class in one of the coordinator's stores: by any context of this coordinator, and of other coordinators of this
    /// process that have the same store open.
    ///
    /// ```swift
    /// let observation = coordinator.observeSaves(of: Movie.self) { ids in
    ///     print(ids.author ?? "somebody", "saved", ids.inserted.count, "new movies")
    /// }
    /// ```
    ///
    /// The handler is called after the save, on the thread of the context that saved, once for each save. Objects that were only set to the values they had are not told of, nor deleted ones that others had deleted before. Contexts that merge changes have not done so yet: fetch what the references name,
    /// or use them in a context of your own. Batch requests and other processes are not heard of; see `NSPersistentStoreRemoteChange`.
    ///
    /// Callable on every thread.
    ///
    /// - Parameters:
    ///   - type: the class; objects of subclasses count as its own.
    ///   - kinds: which of inserted, updated and deleted objects to tell of.
    ///   - handler: gets references to the objects; never called without any.
    /// - Returns: keep it as long as the observation is to last.
    public func observeSaves<Object: NSManagedObject>(
        of type: Object.Type, _ kinds: Notification.ChangedType = .all,
        handler: @escaping @Sendable (_ changes: ManagedObjectChangeIDs<Object>) -> Void
    ) -> ManagedObjectObservation {
        managedObjectModel.requireEntity(of: Object.self)
        let center = NotificationCenter.default
        ChangeInterest.note()
        // The token is only handed back to the center, on whatever thread.
        nonisolated(unsafe) let token = center.addObserver(forName: .NSManagedObjectContextDidSave, object: nil, queue: nil) {
            [weak self] notification in
            guard let self, let context = notification.object as? NSManagedObjectContext, context.parent == nil else { return }
            let isOwn = context.persistentStoreCoordinator === self
            let notice = context.saveBeingTold
            let author = notice.map(\.author) ?? context.transactionAuthor
            let changes = ManagedObjectChangeIDs<Object>(origin: isOwn ? .local : .merge, author: author) { kind in
                guard kinds.includes(kind) else { return [] }
                let references: [ManagedObjectID<Object>] = notification.objects(kind).compactMap { object in
                    if kind != .inserted, notice?.isUnchanged(object) == true { return nil }
                    return self.reference(to: object, isOwn: isOwn)
                }
                return Set(references)
            }
            if !changes.isEmpty { handler(changes) }
        }
        return ManagedObjectObservation { center.removeObserver(token) }
    }

    /// The saves as a sequence to wait on. See ``observeSaves(of:_:handler:)``.
    ///
    /// Observation starts with the call. No save is left out, and the elements come in the order of the saves of each context. The sequence ends when the task that reads
    /// it is cancelled. It serves one reader. Callable on every thread.
    public func saves<Object: NSManagedObject>(
        of type: Object.Type, _ kinds: Notification.ChangedType = .all
    ) -> AsyncStream<ManagedObjectChangeIDs<Object>> {
        let (stream, continuation) = AsyncStream.makeStream(of: ManagedObjectChangeIDs<Object>.self, bufferingPolicy: .unbounded)
        let observation = observeSaves(of: type, kinds) { continuation.yield($0) }
        continuation.onTermination = { _ in observation.cancel() }
        return stream
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
    /// Tells of each save that changes objects of a class. See ``NSPersistentStoreCoordinator/observeSaves(of:_:handler:)``.
    public func observeSaves<Object: NSManagedObject>(
        of type: Object.Type, _ kinds: Notification.ChangedType = .all,
        handler: @escaping @Sendable (_ changes: ManagedObjectChangeIDs<Object>) -> Void
    ) -> ManagedObjectObservation {
        persistentStoreCoordinator.observeSaves(of: type, kinds, handler: handler)
    }

    /// The saves as a sequence to wait on. See ``NSPersistentStoreCoordinator/saves(of:_:)``.
    public func saves<Object: NSManagedObject>(
        of type: Object.Type, _ kinds: Notification.ChangedType = .all
    ) -> AsyncStream<ManagedObjectChangeIDs<Object>> {
        persistentStoreCoordinator.saves(of: type, kinds)
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

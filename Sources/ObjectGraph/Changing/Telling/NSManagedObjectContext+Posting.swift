import Foundation

/// Each notification is posted in its classic form and as a typed message: Foundation does not turn one into the other here.
extension NSManagedObjectContext {
    final func postObjectsDidChange(_ sets: ChangeSets) {
        let interest = NotificationInterest.objectsDidChange
        if interest.exists { NotificationCenter.default.post(name: interest.name, object: self, userInfo: sets.userInfo) }
        postOnMainActor { ObjectsDidChangeMessage(sets) }
    }

    final func postWillSave() {
        NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: self)
        postOnMainActor { WillSaveMessage() }
    }

    final func postDidSave(_ sets: ChangeSets) {
        let interest = NotificationInterest.didSave
        if interest.exists {
            var userInfo = sets.userInfo
            if let token = queryGenerationToken { userInfo[NSManagedObjectContextQueryGenerationKey] = token }
            NotificationCenter.default.post(name: interest.name, object: self, userInfo: userInfo)
        }
        postOnMainActor { DidSaveMessage(sets) }
    }

    final func postDidSave(_ ids: SavedObjectIDs) {
        let interest = NotificationInterest.didSaveObjectIDs
        if interest.exists { NotificationCenter.default.post(name: interest.name, object: self, userInfo: ids.userInfo) }
        if concurrencyType == .mainQueueConcurrencyType {
            postOnMainActor { DidSaveObjectIDsMessage(ids) }
        } else {
            NotificationCenter.default.post(DidSaveObjectIDsAsyncMessage(ids), subject: self)
        }
    }

    private final func postOnMainActor<Message: NotificationCenter.MainActorMessage>(_ message: () -> Message)
    where Message.Subject == NSManagedObjectContext {
        guard concurrencyType == .mainQueueConcurrencyType, ContextQueue.isMain else { return }
        // The message is made and delivered on this thread, which is the main thread or runs the main queue.
        nonisolated(unsafe) let message = message()
        MainActor.assumeIsolated { NotificationCenter.default.post(message, subject: self) }
    }
}

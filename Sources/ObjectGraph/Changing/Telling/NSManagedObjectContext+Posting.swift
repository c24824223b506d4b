import Foundation

/// Each notification is posted in its classic form and as a typed message: Foundation does not turn one into the other here.
extension NSManagedObjectContext {
    final func postObjectsDidChange(_ sets: ChangeSets) {
        NotificationCenter.default.post(name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: sets.userInfo)
        postOnMainActor { ObjectsDidChangeMessage(sets) }
    }

    final func postWillSave() {
        NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: self)
        postOnMainActor { WillSaveMessage() }
    }

    final func postDidSave(_ sets: ChangeSets) {
        var userInfo = sets.userInfo
        if let token = queryGenerationToken { userInfo[NSManagedObjectContextQueryGenerationKey] = token }
        NotificationCenter.default.post(name: .NSManagedObjectContextDidSave, object: self, userInfo: userInfo)
        postOnMainActor { DidSaveMessage(sets) }
    }

    final func postDidSave(_ ids: SavedObjectIDs) {
        if ObjectIDInterest.exists {
            NotificationCenter.default.post(name: ObjectIDInterest.name, object: self, userInfo: ids.userInfo)
        }
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

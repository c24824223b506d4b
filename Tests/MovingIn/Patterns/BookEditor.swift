import CoreData
import Foundation

/// Edits a book in a context of its own, which is saved or thrown away.
final class BookEditor {
    let childContext: NSManagedObjectContext
    let book: Book

    init(book: Book, parent: NSManagedObjectContext) {
        childContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        childContext.parent = parent
        childContext.undoManager = UndoManager()
        self.book = childContext.object(with: book.objectID) as! Book
    }

    /// One step for undo, with a name.
    func change(_ actionName: String, _ edit: (Book) -> Void) {
        childContext.undoManager?.beginUndoGrouping()
        edit(book)
        childContext.processPendingChanges()
        childContext.undoManager?.endUndoGrouping()
        childContext.undoManager?.setActionName(actionName)
    }

    func done() throws {
        guard childContext.hasChanges else { return }
        try childContext.save()
        guard let parent = childContext.parent, parent.hasChanges else { return }
        try parent.save()
    }

    func cancel() {
        childContext.rollback()
    }
}

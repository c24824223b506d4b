import CoreData
import Foundation

/// What a table view shows, and what it is told to change.
final class BooksDataSource: NSObject, NSFetchedResultsControllerDelegate {
    private let controller: NSFetchedResultsController<Book>
    private(set) var log: [String] = []

    init(context: NSManagedObjectContext) {
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(key: "title", ascending: true, selector: #selector(NSString.localizedStandardCompare(_:)))
        ]
        request.fetchBatchSize = 20
        controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: #keyPath(Book.isLent), cacheName: nil)
        super.init()
        controller.delegate = self
    }

    func load() throws { try controller.performFetch() }

    var numberOfSections: Int { return controller.sections?.count ?? 0 }

    func numberOfRows(in section: Int) -> Int {
        guard let sectionInfo = controller.sections?[section] else { return 0 }
        return sectionInfo.numberOfObjects
    }

    func title(at indexPath: IndexPath) -> String { return controller.object(at: indexPath).title }

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        log.append("begin")
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        switch type {
        case .insert: log.append("insert \(newIndexPath!.section).\(newIndexPath!.item)")
        case .delete: log.append("delete \(indexPath!.section).\(indexPath!.item)")
        case .update: log.append("update \((anObject as? Book)?.title ?? "")")
        case .move: log.append("move")
        @unknown default: break
        }
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange sectionInfo: NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
    ) {
        log.append("section \(sectionIndex)")
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        log.append("end")
    }
}

import CoreData

/// Follows one book, as a detail view does. The framework is imported alone.
final class BookObserver {
    private var observations: [NSKeyValueObservation] = []
    private(set) var log: [String] = []

    init(book: Book) {
        observations = [
            book.observe(\.title, options: [.old, .new]) { [unowned self] _, change in
                self.log.append("\(change.oldValue ?? "") → \(change.newValue ?? "")")
            },
            book.observe(\.isLent, options: [.new]) { [unowned self] book, change in
                self.log.append("\(book.title) is lent: \(change.newValue ?? false)")
            },
        ]
    }

    func stop() {
        observations.forEach { $0.invalidate() }
    }
}

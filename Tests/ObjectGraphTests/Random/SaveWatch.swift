import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport

/// Checks a store's file after each save of any context on its coordinator.
final class SaveWatch {
    private let checker: StoreChecker?
    private let lock = NSLock()
    private var observer: Observer?
    private var found: [String] = []
    private var count = 0

    init(_ stack: TestStack) throws {
        checker = stack.kind == .sqlite ? try StoreChecker(stack.model, stack.folder.file("store.sqlite")) : nil
        guard checker != nil else { return }
        observer = Observer(.NSManagedObjectContextDidSave, of: nil) {
            [unowned self, coordinator = stack.coordinator] notification in
            guard let context = notification.object as? NSManagedObjectContext, context.parent == nil,
                context.persistentStoreCoordinator === coordinator
            else { return }
            check()
        }
    }

    private func check() {
        lock.withLock {
            count += 1
            do { found += try checker?.check() ?? [] } catch { found.append("\(error)") }
        }
    }

    /// What was found so far, and whether anything was looked at.
    var problems: [String] { lock.withLock { found } }
    var saves: Int { lock.withLock { count } }
}

import DataModel
import Foundation

/// The models in use, for what Apple's API asks without naming a model: the entity of a class.
///
/// `@unchecked Sendable` is not needed: all access is locked.
enum RuntimeList {
    private struct Entry {
        weak var model: NSManagedObjectModel?
    }

    private static let lock = NSLock()
    nonisolated(unsafe) private static var entries: [Entry] = []

    static func add(_ model: NSManagedObjectModel) {
        lock.withLock {
            entries.removeAll { $0.model == nil }
            if !entries.contains(where: { $0.model === model }) { entries.append(Entry(model: model)) }
        }
    }

    /// The entity of a class, in the model that came into use last.
    static func entity(of objectClass: NSManagedObject.Type) -> NSEntityDescription {
        let models = lock.withLock { entries.compactMap(\.model) }
        for model in models.reversed() {
            let runtime = ModelRuntime.of(model)
            if let layout = runtime.entity(for: objectClass) ?? runtime.layout.entity(named: String(describing: objectClass)) {
                return layout.description
            }
        }
        fatalError("No model in use has an entity with objects of class \(objectClass). Make a container or a coordinator first.")
    }
}

import Foundation
import Storage

/// One state of a coordinator's stores: a snapshot of each, made together at the first reading.
///
/// Contexts and tokens share it. The snapshots end with the last of them.
///
/// `@unchecked Sendable`: what changes is under the lock.
final class QueryGeneration: @unchecked Sendable {
    /// The source for the rows of a store.
    enum Place {
        case newest
        case snapshot(any RowSource)
        /// The store was added after the generation was made.
        case nowhere
    }

    let identifier = UUID()
    // Weak: a token must not keep files open.
    private weak var coordinator: NSPersistentStoreCoordinator?
    private let lock = NSLock()
    /// The snapshots by the index of the store; nil for a store without snapshots. The whole is nil before the first
    /// reading.
    private var snapshots: [Int: (any RowSource)?]?
    private var storedMoment: Int?

    init(_ coordinator: NSPersistentStoreCoordinator) {
        self.coordinator = coordinator
        Self.register(self)
    }

    deinit { Self.unregister(identifier) }

    func isOf(_ other: NSPersistentStoreCoordinator) -> Bool { coordinator === other }

    /// Whether any store has a snapshot in it.
    var hasEffect: Bool {
        if let known = lock.withLock({ snapshots }) { return known.values.contains { $0 != nil } }
        guard let coordinator else { return false }
        return coordinator.persistentStores.contains(where: \.hasSnapshots)
    }

    /// The number of the coordinator's saves that the snapshots contain; nil if no snapshot was made yet.
    var moment: Int? { lock.withLock { storedMoment } }

    /// Makes the snapshots, unless they are made. Must be called before a store's lock is taken: it takes the locks of all
    /// stores, so that no save comes between the snapshots of two of them.
    func prepare() throws {
        guard lock.withLock({ snapshots == nil }), let coordinator else { return }
        try coordinator.holdingStores { stores in
            guard lock.withLock({ snapshots == nil }) else { return }
            var made: [Int: (any RowSource)?] = [:]
            for store in stores { made.updateValue(try store.makeSnapshot(), forKey: store.reference.index) }
            lock.withLock {
                snapshots = made
                storedMoment = coordinator.clock.now
            }
        }
    }

    /// The place of a store's rows, when the snapshots are made.
    func place(of store: NSPersistentStore) -> Place {
        guard let made = lock.withLock({ snapshots }) else { return .newest }
        guard let known = made[store.reference.index] else {
            return made.values.contains { $0 != nil } ? .nowhere : .newest
        }
        return known.map(Place.snapshot) ?? .newest
    }

    // MARK: By identifier

    private struct Entry {
        weak var generation: QueryGeneration?
    }

    private static let listLock = NSLock()
    nonisolated(unsafe) private static var list: [UUID: Entry] = [:]

    private static func register(_ generation: QueryGeneration) {
        listLock.withLock { list[generation.identifier] = Entry(generation: generation) }
    }

    private static func unregister(_ identifier: UUID) { listLock.withLock { list[identifier] = nil } }

    /// The generation with an identifier, if a context or a token holds it.
    static func living(_ identifier: UUID) -> QueryGeneration? {
        // It is released outside of the lock, because it may be the last reference.
        listLock.withLock { list[identifier]?.generation }
    }
}

// swift-format-ignore-file: AmbiguousTrailingClosureOverload

import Foundation

/// Work that no other thread interrupts. Other threads can't read, save, add or remove a store meanwhile. Keep such
/// work short, and don't wait in it for a context's queue.
extension NSPersistentStoreCoordinator {
    /// Runs a block later, on the coordinator's own queue. Callable on every thread.
    ///
    /// - Parameter block: The work. Blocks run one at a time, in the order of the calls.
    @preconcurrency
    public final func perform(_ block: @escaping @Sendable () -> Void) {
        queue.async { self.performAndWait(block) }
    }

    /// Runs a block on the calling thread, and waits until the coordinator is free for it. May be nested.
    ///
    /// - Parameter block: The work.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    public final func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
        try lock.withLock { try holdingStores { _ in try block() } }
    }

    /// Runs a block on the calling thread, as the form with a result does.
    public final func performAndWait(_ block: () -> Void) { lock.withLock { holdingStores { _ in block() } } }

    /// Runs a block on the coordinator's own queue.
    ///
    /// - Parameter block: The work.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    @preconcurrency
    public final func perform<T>(_ block: @escaping @Sendable () throws -> T) async rethrows -> T {
        try await QueueActor(queue).run({ try self.performAndWait(block) }, finally: {}).value
    }

    /// Runs `body` with the stores while no one else can use them. Their locks are taken in the order of the stores.
    final func holdingStores<T>(_ body: ([NSPersistentStore]) throws -> T) rethrows -> T {
        let stores = persistentStores
        return try holding(stores[...]) { try body(stores) }
    }

    private final func holding<T>(_ stores: ArraySlice<NSPersistentStore>, _ body: () throws -> T) rethrows -> T {
        guard let first = stores.first else { return try body() }
        return try first.asked(by: nil) { try holding(stores.dropFirst(), body) }
    }
}

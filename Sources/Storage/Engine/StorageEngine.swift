import DataModel
import Foundation

/// What the object graph asks of a store's engine. An engine knows rows and keys, never objects.
///
/// An engine is not synchronised: the store that owns it makes one call at a time, from any thread, except for
/// `readBeside`.
/// Errors are `NSError`s in `NSCocoaErrorDomain`, as Core Data's API throws them.
package protocol StorageEngine: RowSource {
    /// The store's UUID, upper case.
    var identifier: String { get }

    /// `NSStoreType`, `NSStoreUUID`, the model's version hashes, and what the application added.
    var metadata: [String: Any] { get }

    /// Replaces what the application may change in the metadata; durable with the next `save`.
    func setMetadata(_ metadata: [String: Any])

    /// Whether the engine and its snapshots can tell for which rows a condition is true. They get no other conditions, which are
    /// evaluated in memory.
    func evaluates(_ condition: RowPredicate) -> Bool

    /// Whether the engine and its snapshots can sort rows by a key. They get no other keys.
    func evaluates(_ key: RowRequest.SortKey) -> Bool

    /// Whether programs may send batch requests to the store, as Apple's framework allows for SQLite.
    var takesBatchRequests: Bool { get }

    /// Whether predicates may use transient properties, which no store has.
    var allowsTransients: Bool { get }

    /// Whether rows are found by the settings that a request has, in place of its predicate and sort keys.
    var executesRequests: Bool { get }

    /// Whether a reading inside a transaction sees what the transaction has written.
    var showsUnsavedRows: Bool { get }

    /// See `Capabilities.swift`.
    var statements: (any StatementSource)? { get }
    var copying: (any CopyingEngine)? { get }
    var history: (any HistoryEngine)? { get }

    /// Whether `makeSnapshot` gives one at present.
    var hasSnapshots: Bool { get }

    /// The rows as they are now, to be read while others save; nil for a store that can't do that.
    ///
    /// It ends with the last reference to it, on any thread, and can't be used once the engine is closed. Like the
    /// engine, it serves one caller at a time.
    func makeSnapshot() throws -> (any RowSource)?

    /// Runs `body` with a source of the newest rows that is not the engine's own, so that it may be called at any time and
    /// on any thread, while others use the engine and after it was closed.
    ///
    /// - Returns: Nil if there is no such source at present. Then `body` was not called.
    func readBeside<Result>(_ body: (any RowSource) throws -> Result) throws -> Result?

    /// Runs `body` in one write transaction, which commits if `body` returns and is undone if it throws.
    func save<Result>(_ body: (any SaveTransaction) throws -> Result) throws -> Result

    /// A function whose result differs from its last one if a write has been committed since, the engine's own
    /// included. Nil if only stores of this process can write to the store.
    ///
    /// It serves one caller at a time, which may be another one than the engine's, and does not wait for locks. Release
    /// it before the engine is closed.
    func makeChangeCounter() throws -> (() throws -> Int)?

    /// Tidies the store up as its settings ask for, once it is open.
    func maintain() throws

    /// Ends all use of the store's files.
    func close()
}

import Foundation
public import OpenCoreData
import Synchronization

/// A statement that a store sent to its database.
public struct StoreStatement: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of statements.
    public enum Kind: String, Sendable {
        /// Reads rows.
        case select
        /// Makes rows.
        case insert
        /// Changes rows.
        case update
        /// Deletes rows.
        case delete
        /// Begins or ends a transaction.
        case transaction
        /// Everything else: pragmas, tables, indexes.
        case other
    }

    /// The text, with parameters in place of values.
    public let sql: String
    /// The kind.
    public let kind: Kind

    /// The text.
    public var description: String { sql }

    init(_ sql: String) {
        self.sql = sql
        let word = sql.drop { $0.isWhitespace }.prefix { $0.isLetter }.uppercased()
        kind =
            switch word {
            case "SELECT", "WITH", "VALUES": .select
            case "INSERT", "REPLACE": .insert
            case "UPDATE": .update
            case "DELETE": .delete
            case "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE": .transaction
            default: .other
            }
    }
}

/// Runs a block, and returns the statements that the stores of a context sent to their databases meanwhile.
///
/// ```swift
/// let statements = try recordStatements(in: context) { for movie in movies { _ = movie.director.name } }
/// #expect(statements.count { $0.kind == .select } == 1)
/// ```
///
/// The list has all statements of the same coordinator, so don't use its other contexts at the same time. The text of a
/// statement may change from one version to the next. So count kinds or search for names, and don't compare whole
/// texts. The work of triggers is part of the statement that fires them.
///
/// - Parameters:
///   - context: the context; a child context has the stores of its parent.
///   - body: the block to run.
/// - Returns: the statements in their order, one for each time that it ran.
/// - Throws: the error of the block, or a ``TestSupportError`` if no store of the context has a database. A store of
///   the in-memory type sends no statements, but an SQLite store in memory does.
public func recordStatements(in context: NSManagedObjectContext, _ body: () throws -> Void) throws -> [StoreStatement] {
    let recording = try StatementRecording(context)
    defer { recording.end() }
    try body()
    return recording.statements
}

/// The same for an asynchronous block. Statements of what it awaits count, too.
public func recordStatements(
    in context: NSManagedObjectContext, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async throws -> [StoreStatement] {
    let recording = try StatementRecording(context)
    defer { recording.end() }
    try await body()
    return recording.statements
}

/// Records the statements of a coordinator's stores.
private final class StatementRecording: Sendable {
    private let stores: [(store: NSPersistentStore, number: Int)]
    private let recorded: Recorded

    /// A separate object, so that the stores need not hold the recording.
    private final class Recorded: Sendable {
        let statements = Mutex<[StoreStatement]>([])
    }

    init(_ context: NSManagedObjectContext) throws {
        let recorded = Recorded()
        self.recorded = recorded
        stores = (context.persistentStoreCoordinator?.persistentStores ?? []).compactMap { store in
            store.addStatementHandler { sql in recorded.statements.withLock { $0.append(StoreStatement(sql)) } }
                .map { (store, $0) }
        }
        guard !stores.isEmpty else {
            throw TestSupportError(
                "The context has no store that sends statements. Use an SQLite store, in a file or in memory (/dev/null).")
        }
    }

    var statements: [StoreStatement] { recorded.statements.withLock { $0 } }

    func end() {
        for (store, number) in stores { store.removeStatementHandler(number) }
    }
}

import CSQLite
import Synchronization

/// The handlers that get the statements of an engine's connections.
final class StatementTrace: Sendable {
    typealias Handler = @Sendable (String) -> Void

    private struct State {
        var handlers: [Int: Handler] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    var isEmpty: Bool { state.withLock { $0.handlers.isEmpty } }

    func add(_ handler: @escaping Handler) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.handlers[state.lastNumber] = handler
            return state.lastNumber
        }
    }

    func remove(_ number: Int) {
        // The handler is released outside the lock.
        let removed = state.withLock { $0.handlers.removeValue(forKey: number) }
        withExtendedLifetime(removed) {}
    }

    func tell(_ sql: String) {
        let handlers = state.withLock { $0.handlers }
        for handler in handlers.values { handler(sql) }
    }
}

extension Connection {
    /// Makes SQLite tell `trace` of each statement that begins to run, while there is a handler. Without one a connection pays
    /// nothing.
    ///
    /// What triggers do is part of the statement that sets them off.
    func follow(_ trace: StatementTrace) {
        let followed = trace.isEmpty ? nil : trace
        guard followed !== self.trace else { return }
        self.trace = followed
        guard let followed else {
            sqlite3_trace_v2(handle, 0, nil, nil)
            return
        }
        // The connection keeps the trace as long as SQLite has the pointer.
        sqlite3_trace_v2(
            handle, UInt32(SQLITE_TRACE_STMT),
            { _, context, _, text in
                guard let context, let text else { return 0 }
                let sql = String(cString: text.assumingMemoryBound(to: CChar.self))
                // SQLite reports a trigger's part as a comment.
                if !sql.hasPrefix("--") { Unmanaged<StatementTrace>.fromOpaque(context).takeUnretainedValue().tell(sql) }
                return 0
            }, Unmanaged.passUnretained(followed).toOpaque())
    }
}

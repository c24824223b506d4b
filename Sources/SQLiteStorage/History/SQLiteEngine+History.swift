import DataModel
import Foundation
package import Storage

extension SQLiteEngine: HistoryEngine {
    package var history: (any HistoryEngine)? { self }

    package var hasHistory: Bool {
        get throws { try openStore(.reading).schema.hasHistory }
    }

    package func newestTransaction() throws -> Int64 {
        let store = try openStore(.reading)
        return try HighestKeys(writes: store.writes, url: url)
            .highest(of: HistoryRecorder.Number.transaction, in: HistoryRecorder.transactions, owner: "ATRANSACTION")
    }

    package func oldestTransaction() throws -> Int64? {
        var oldest: Int64?
        try openStore(.reading).connection.rows("SELECT min(Z_PK) FROM ATRANSACTION", .reading) { row in
            if !row.isNull(0) { oldest = row.integer(0) }
        }
        return oldest
    }

    package func readTransactions(_ range: HistoryRange, into body: (HistoryTransaction) throws -> Void) throws {
        let store = try openStore(.reading)
        let texts = ["ZAUTHOR", "ZCONTEXTNAME", "ZBUNDLEID", "ZPROCESSID"].map { text($0, store.schema) }
        let sql = "SELECT Z_PK, ZTIMESTAMP, \(texts.joined(separator: ", ")) FROM ATRANSACTION AS t"
        try store.connection.rows("\(sql) WHERE \(range.condition) ORDER BY Z_PK", .reading, bind: range.bind) { row in
            let seconds = row.real(1)
            guard seconds.isFinite else {
                throw StoreFailure.damaged(url, "the time of transaction \(row.integer(0)) in its history is not a time")
            }
            try body(
                HistoryTransaction(
                    number: row.integer(0), date: Date(timeIntervalSinceReferenceDate: seconds), author: row.text(2),
                    contextName: row.text(3), bundleID: row.text(4), processID: row.text(5)))
        }
    }

    /// Newer frameworks keep texts in a table of their own, older ones in the transaction's row.
    private func text(_ column: String, _ schema: FileSchema) -> String {
        let known = schema.tables["ATRANSACTION"] ?? [:]
        var forms: [String] = []
        if known[column + "TS"] != nil, schema.tables["ATRANSACTIONSTRING"] != nil {
            forms.append("(SELECT ZNAME FROM ATRANSACTIONSTRING AS s WHERE s.Z_PK = t.\(column)TS)")
        }
        if known[column] != nil { forms.append(column) }
        return forms.count == 2 ? "ifnull(\(forms[0]), \(forms[1]))" : forms.first ?? "NULL"
    }

    package func readChanges(_ range: HistoryRange, into body: (HistoryChange) throws -> Void) throws {
        let store = try openStore(.reading)
        let reader = HistoryChangeReader(store, url)
        try store.connection.rows(
            "\(reader.selection) WHERE ZTRANSACTIONID IN (SELECT Z_PK FROM ATRANSACTION WHERE \(range.condition)) "
                + "ORDER BY ZTRANSACTIONID, Z_PK", .reading, bind: range.bind
        ) { row in
            if let change = try reader.read(row) { try body(change) }
        }
    }

    package func deleteTransactions(_ range: HistoryRange) throws -> Int {
        try save { _ in
            let store = try openStore(.saving)
            var last = Int64.max
            switch range {
            case .all: break
            case .beforeNumber(let number): last = number
            case .beforeDate:
                try store.connection.rows(
                    "SELECT min(Z_PK) FROM ATRANSACTION WHERE NOT (\(range.condition))", .saving, bind: range.bind
                ) { row in
                    if !row.isNull(0) { last = row.integer(0) }
                }
            case .afterNumber, .afterDate: return 0
            }
            let changes = try store.writes.statement("DELETE FROM ACHANGE WHERE ZTRANSACTIONID < ?")
            changes.bind(last, at: 1)
            try changes.run(.saving)
            let transactions = try store.writes.statement("DELETE FROM ATRANSACTION WHERE Z_PK < ?")
            transactions.bind(last, at: 1)
            try transactions.run(.saving)
            return Int(store.connection.changes)
        }
    }

    package func readingHistory<Result>(_ body: () throws -> Result) throws -> Result {
        let connection = try openStore(.reading).connection
        guard !connection.isInTransaction else { return try body() }
        try connection.execute("BEGIN", .reading)
        // Nothing was written, so undoing it is the same as ending it.
        defer { connection.rollBack() }
        return try body()
    }
}

extension HistoryRange {
    /// A condition for rows of `ATRANSACTION` with at most one parameter.
    fileprivate var condition: String {
        switch self {
        case .all: "1"
        case .afterNumber: "Z_PK > ?"
        case .afterDate: "ZTIMESTAMP > ?"
        case .beforeNumber: "Z_PK < ?"
        case .beforeDate: "ZTIMESTAMP < ?"
        }
    }

    fileprivate func bind(_ statement: Statement) {
        switch self {
        case .all: break
        case .afterNumber(let number), .beforeNumber(let number): statement.bind(number, at: 1)
        case .afterDate(let date), .beforeDate(let date): statement.bind(date.timeIntervalSinceReferenceDate, at: 1)
        }
    }
}

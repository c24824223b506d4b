import Storage

extension SQLiteEngine {
    package func plan(of statement: String) throws -> [String] {
        var lines: [String] = []
        var depths: [Int64: Int] = [:]
        try openStore(.reading).connection.rows("EXPLAIN QUERY PLAN \(statement)", .reading) { step in
            let depth = depths[step.integer(1)].map { $0 + 1 } ?? 0
            depths[step.integer(0)] = depth
            lines.append(String(repeating: "  ", count: depth) + (step.text(3) ?? ""))
        }
        return lines
    }

    package func damages() throws -> [String] {
        var texts: [String] = []
        try openStore(.reading).connection.rows("PRAGMA integrity_check(100)", .reading) { row in
            if let text = row.text(0), text != "ok" { texts.append(text) }
        }
        return texts
    }
}

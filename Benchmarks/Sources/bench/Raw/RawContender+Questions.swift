import BenchmarkKit
import CBenchmarkSystem
import Foundation

extension RawContender {
    private static let queries = 5

    func fetchByAnyMember(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.shelves.path)
        defer { withExtendedLifetime(database) {} }
        var checksum = Checksum()
        try meter.measure {
            for _ in 0..<Self.queries {
                let statement = try database.prepare(
                    """
                    SELECT Z_PK, Z_OPT, ZNAME FROM ZSHELF AS s WHERE EXISTS
                    (SELECT 1 FROM ZBOOK AS b WHERE b.ZSHELF = s.Z_PK AND b.ZNUMBER BETWEEN ? AND ?) ORDER BY ZNAME
                    """)
                defer { sqlite3_finalize(statement) }
                sqlite3_bind_int64(statement, 1, MemberWorkload.numbers.lowerBound)
                sqlite3_bind_int64(statement, 2, MemberWorkload.numbers.upperBound)
                while sqlite3_step(statement) == SQLITE_ROW { checksum.add(RawMovie.text(statement, 2)) }
            }
        }
        return Outcome(units: Self.queries, checksum: checksum)
    }

    func group(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.full.path)
        defer { withExtendedLifetime(database) {} }
        var checksum = Checksum()
        try meter.measure {
            for _ in 0..<Self.queries {
                let statement = try database.prepare(
                    "SELECT ZYEAR, COUNT(ZTITLE), AVG(ZRATING) FROM ZMOVIE GROUP BY ZYEAR ORDER BY ZYEAR")
                defer { sqlite3_finalize(statement) }
                while sqlite3_step(statement) == SQLITE_ROW {
                    checksum.add(sqlite3_column_int64(statement, 0))
                    checksum.add(sqlite3_column_int64(statement, 1))
                    checksum.add(sqlite3_column_double(statement, 2))
                }
            }
        }
        return Outcome(units: Self.queries, checksum: checksum)
    }

    /// The keys of all rows, then the rows of the first page.
    func readPage(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.full.path)
        defer { withExtendedLifetime(database) {} }
        var checksum = Checksum()
        try meter.measure {
            for _ in 0..<Self.queries {
                var keys: [Int64] = []
                let all = try database.prepare("SELECT Z_PK FROM ZMOVIE ORDER BY Z_PK")
                defer { sqlite3_finalize(all) }
                while sqlite3_step(all) == SQLITE_ROW { keys.append(sqlite3_column_int64(all, 0)) }
                let page = keys.prefix(20).map(String.init).joined(separator: ",")
                let statement = try database.prepare(
                    "SELECT \(RawMovie.columns) FROM ZMOVIE WHERE Z_PK IN (\(page)) ORDER BY Z_PK")
                defer { sqlite3_finalize(statement) }
                while sqlite3_step(statement) == SQLITE_ROW { RawMovie(statement).add(to: &checksum) }
            }
        }
        return Outcome(units: Self.queries, checksum: checksum)
    }
}

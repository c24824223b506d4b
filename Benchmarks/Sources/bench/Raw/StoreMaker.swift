import CBenchmarkSystem
import Foundation

/// Makes the files that workloads start from.
struct StoreMaker {
    let size: DatasetSize

    func prepare(_ stores: PreparedStores) throws {
        let data = Dataset(size: size)
        let database = try RawDatabase(path: stores.people.path, create: true)
        try database.execute(
            """
            CREATE TABLE ZMOVIE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISCOLOR INTEGER, ZYEAR INTEGER,
            ZDURATION INTEGER, ZDIRECTOR INTEGER, ZRATING FLOAT, ZRELEASED TIMESTAMP, ZUSERRATING FLOAT, ZIMDBID VARCHAR,
            ZTAGLINE VARCHAR, ZTITLE VARCHAR );
            CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
            CREATE INDEX ZMOVIE_ZDIRECTOR_INDEX ON ZMOVIE (ZDIRECTOR);
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Movie', 0, 0), (2, 'Person', 0, \(data.people.count));
            """)
        try database.execute("BEGIN")
        let statement = try database.prepare("INSERT INTO ZPERSON VALUES (?, 2, 1, ?)")
        defer { sqlite3_finalize(statement) }
        for (index, name) in data.people.enumerated() {
            sqlite3_bind_int64(statement, 1, Int64(index + 1))
            sqlite3_bind_text(statement, 2, name, -1, bench_transient())
            guard sqlite3_step(statement) == SQLITE_DONE else { throw database.failure("insert") }
            sqlite3_reset(statement)
        }
        try database.execute("COMMIT")
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try FileManager.default.copyItem(at: stores.people, to: stores.full)
        var meter = Meter()
        let work = stores.full.deletingLastPathComponent().appendingPathComponent("making")
        let copy = try stores.copy(to: work)
        defer { try? FileManager.default.removeItem(at: work) }
        _ = try RawContender(size: size).run(.insert, stores: copy, meter: &meter)
        let full = try RawDatabase(path: copy.people.path)
        try full.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try FileManager.default.removeItem(at: stores.full)
        try FileManager.default.copyItem(at: copy.people, to: stores.full)
    }
}

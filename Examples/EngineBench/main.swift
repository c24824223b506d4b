import CSQLite
import DataModel
import Foundation
import SQLiteStorage
import Storage

func cpu() -> Double { var t = timespec(); clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return Double(t.tv_sec) + Double(t.tv_nsec) / 1e9 }
let N = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[1])! : 100_000
func attr(_ n: String, _ t: NSAttributeType) -> NSAttributeDescription { let a = NSAttributeDescription(); a.name = n; a.attributeType = t; return a }
let movie = NSEntityDescription(); movie.name = "Movie"
let person = NSEntityDescription(); person.name = "Person"
let dir = NSRelationshipDescription(); dir.name = "director"; dir.destinationEntity = person; dir.maxCount = 1
let movies = NSRelationshipDescription(); movies.name = "movies"; movies.destinationEntity = movie
dir.inverseRelationship = movies; movies.inverseRelationship = dir
movie.properties = [attr("year", .integer16AttributeType), attr("votes", .integer64AttributeType), attr("rating", .doubleAttributeType), attr("score", .doubleAttributeType), attr("released", .dateAttributeType), attr("imdb", .stringAttributeType), attr("title", .stringAttributeType), attr("plot", .stringAttributeType), attr("seen", .booleanAttributeType), dir]
person.properties = [attr("name", .stringAttributeType), movies]
let model = NSManagedObjectModel(); model.entities = [movie, person]
let layout = ModelLayout(model)
let M = layout.entity(named: "Movie")!, P = layout.entity(named: "Person")!
let path = "/dev/shm/eb-\(getpid()).sqlite"
defer { for s in ["", "-wal", "-shm"] { unlink(path + s) } }
func s(_ n: String) -> Int { M.slotByName[n]! }
let (sy, sv, sr, ss, sd, si, st, sp, se, sdir) = (s("year"), s("votes"), s("rating"), s("score"), s("released"), s("imdb"), s("title"), s("plot"), s("seen"), s("director"))
final class Keep: RowConsumer {
    var rows: [Row] = []
    var sum = 0.0
    func wantsValues(of key: RowKey) -> Bool { true }
    func take(_ row: Row, for key: RowKey) { rows.append(row) }
}
func time(_ name: String, _ n: Int, _ body: () throws -> Void) rethrows { let a = cpu(); try body(); print("\(name): \(Int((cpu() - a) * 1e9 / Double(n))) ns") }
struct M_ { var pk: Int64; var year: Int64; var votes: Int64; var rating: Double; var score: Double?; var released: Double; var imdb: String; var title: String; var plot: String; var dir: Int64?; var seen: Bool }

func engineBench() throws {
    let engine = try SQLiteEngine(url: URL(fileURLWithPath: path), model: model, layout: layout, options: SQLiteStoreOptions())
    var made: [RowChange] = []
    made.reserveCapacity(N)
    for i in 0..<N {
        let r = Row.emptyDraft(M); let p = r.slots
        Row.setScalar(p, sy, UInt64(1950 + i % 70)); Row.setScalar(p, sv, UInt64(i * 7)); Row.setScalar(p, sr, (Double(i % 100) / 10).bitPattern)
        if i % 3 != 0 { Row.setScalar(p, ss, (Double(i) / 3).bitPattern) }
        Row.setScalar(p, sd, (Double(i) * 1000.5).bitPattern); r.setString(si, "tt\(1000000 + i)"); r.setString(st, "The Title Of Movie \(i)"); r.setString(sp, "A plot of some length, no \(i)")
        if i % 4 != 0 { Row.setScalar(p, sdir, UInt64(1 + i % 5000)) }
        Row.setScalar(p, se, UInt64(i & 1))
        made.append(RowChange(key: Int64(i + 1), row: r))
    }
    try time("insert", N) { try engine.save { t in _ = try t.reserveKeys(N, root: M); try t.insert(made, entity: M) } }
    made = []
    let keep = Keep(); keep.rows.reserveCapacity(N)
    try time("fetch all (rows kept)", N) { try engine.fetch(RowRequest(M), into: keep) }
    try time("free", N) { keep.rows = [] }
    keep.rows.reserveCapacity(N)
    try time("fetch all again", N) { try engine.fetch(RowRequest(M), into: keep) }
    let all = keep.rows
    keep.rows = []
    var seed: UInt64 = 42
    let keys = (0..<20000).map { _ -> Int64 in seed = seed &* 6364136223846793005 &+ 1442695040888963407; return Int64(seed >> 33) % Int64(N) + 1 }
    try time("single by key", 20000) { for k in keys { keep.rows.removeAll(keepingCapacity: true); try engine.fetch(RowRequest(M, selection: .keys([k])), into: keep) } }
    keep.rows = []
    try time("keys in batches of 100", 20000) { for b in stride(from: 0, to: 20000, by: 100) { keep.rows.removeAll(keepingCapacity: true); try engine.fetch(RowRequest(M, selection: .keys(Array(keys[b..<b + 100]))), into: keep) } }
    var mask = SlotMask(); mask.insert(sr)
    var ups: [RowChange] = []
    for i in 0..<50000 { let d = all[i].makeDraft(); Row.setScalar(d.slots, sr, 9.5.bitPattern); ups.append(RowChange(key: Int64(i + 1), row: d, expectedVersion: 1, mask: mask)) }
    try time("update", 50000) { _ = try engine.save { try $0.update(ups, entity: M) } }
    var dels: [RowChange] = []
    for i in 0..<20000 { let k = i * 5 + 1; let v: Int64 = k <= 50000 ? 2 : 1; dels.append(RowChange(key: Int64(k), row: all[i], expectedVersion: v)) }
    try time("delete", 20000) { let c = try engine.save { try $0.delete(dels, entity: M) }; precondition(c.isEmpty) }
    engine.close()
}
func rawBench() {
    var db: OpaquePointer?
    sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
    sqlite3_exec(db, "PRAGMA auto_vacuum=2; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16384; CREATE TABLE ZMOVIE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSEEN INTEGER, ZVOTES INTEGER, ZYEAR INTEGER, ZDIRECTOR INTEGER, ZRATING FLOAT, ZRELEASED TIMESTAMP, ZSCORE FLOAT, ZIMDB VARCHAR, ZPLOT VARCHAR, ZTITLE VARCHAR ); CREATE INDEX a ON ZMOVIE (ZDIRECTOR)", nil, nil, nil)
    var ms: [M_] = []
    for i in 0..<N { ms.append(M_(pk: Int64(i + 1), year: Int64(1950 + i % 70), votes: Int64(i * 7), rating: Double(i % 100) / 10, score: i % 3 != 0 ? Double(i) / 3 : nil, released: Double(i) * 1000.5, imdb: "tt\(1000000 + i)", title: "The Title Of Movie \(i)", plot: "A plot of some length, no \(i)", dir: i % 4 != 0 ? Int64(1 + i % 5000) : nil, seen: i & 1 == 1)) }
    let tr = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    time("raw insert", N) {
        sqlite3_exec(db, "BEGIN IMMEDIATE", nil, nil, nil)
        var h: OpaquePointer?
        sqlite3_prepare_v3(db, "INSERT INTO ZMOVIE (Z_PK, Z_ENT, Z_OPT, ZSEEN, ZVOTES, ZYEAR, ZDIRECTOR, ZRATING, ZRELEASED, ZSCORE, ZIMDB, ZPLOT, ZTITLE) VALUES (?, 1, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", -1, 1, &h, nil)
        for m in ms {
            sqlite3_bind_int64(h, 1, m.pk); sqlite3_bind_int64(h, 2, m.seen ? 1 : 0); sqlite3_bind_int64(h, 3, m.votes); sqlite3_bind_int64(h, 4, m.year)
            if let d = m.dir { sqlite3_bind_int64(h, 5, d) } else { sqlite3_bind_null(h, 5) }
            sqlite3_bind_double(h, 6, m.rating); sqlite3_bind_double(h, 7, m.released)
            if let d = m.score { sqlite3_bind_double(h, 8, d) } else { sqlite3_bind_null(h, 8) }
            sqlite3_bind_text(h, 9, m.imdb, -1, tr); sqlite3_bind_text(h, 10, m.plot, -1, tr); sqlite3_bind_text(h, 11, m.title, -1, tr)
            sqlite3_step(h); sqlite3_reset(h)
        }
        sqlite3_exec(db, "COMMIT", nil, nil, nil)
        sqlite3_finalize(h)
    }
    ms = []
    func read(_ h: OpaquePointer?) -> M_ {
        M_(pk: sqlite3_column_int64(h, 0), year: sqlite3_column_int64(h, 5), votes: sqlite3_column_int64(h, 4), rating: sqlite3_column_double(h, 7), score: sqlite3_column_type(h, 9) == SQLITE_NULL ? nil : sqlite3_column_double(h, 9), released: sqlite3_column_double(h, 8), imdb: String(cString: sqlite3_column_text(h, 10)), title: String(cString: sqlite3_column_text(h, 12)), plot: String(cString: sqlite3_column_text(h, 11)), dir: sqlite3_column_type(h, 6) == SQLITE_NULL ? nil : sqlite3_column_int64(h, 6), seen: sqlite3_column_int64(h, 3) != 0)
    }
    time("raw fetch all", N) {
        var h: OpaquePointer?
        sqlite3_prepare_v3(db, "SELECT Z_PK, Z_ENT, Z_OPT, ZSEEN, ZVOTES, ZYEAR, ZDIRECTOR, ZRATING, ZRELEASED, ZSCORE, ZIMDB, ZPLOT, ZTITLE FROM ZMOVIE ORDER BY Z_PK", -1, 1, &h, nil)
        while sqlite3_step(h) == SQLITE_ROW { ms.append(read(h)) }
        sqlite3_finalize(h)
    }
    time("raw free", N) { ms = [] }
    var seed: UInt64 = 42
    let keys = (0..<20000).map { _ -> Int64 in seed = seed &* 6364136223846793005 &+ 1442695040888963407; return Int64(seed >> 33) % Int64(N) + 1 }
    time("raw single", 20000) {
        var h: OpaquePointer?
        sqlite3_prepare_v3(db, "SELECT Z_PK, Z_ENT, Z_OPT, ZSEEN, ZVOTES, ZYEAR, ZDIRECTOR, ZRATING, ZRELEASED, ZSCORE, ZIMDB, ZPLOT, ZTITLE FROM ZMOVIE WHERE Z_PK = ?", -1, 1, &h, nil)
        for k in keys { sqlite3_bind_int64(h, 1, k); sqlite3_step(h); ms.removeAll(keepingCapacity: true); ms.append(read(h)); sqlite3_reset(h) }
        sqlite3_finalize(h)
    }
    time("raw in100", 20000) {
        var h: OpaquePointer?
        sqlite3_prepare_v3(db, "SELECT Z_PK, Z_ENT, Z_OPT, ZSEEN, ZVOTES, ZYEAR, ZDIRECTOR, ZRATING, ZRELEASED, ZSCORE, ZIMDB, ZPLOT, ZTITLE FROM ZMOVIE WHERE Z_PK IN (" + Array(repeating: "?", count: 100).joined(separator: ", ") + ")", -1, 1, &h, nil)
        for b in stride(from: 0, to: 20000, by: 100) { let ks = keys[b..<b + 100].sorted(); for j in 0..<100 { sqlite3_bind_int64(h, Int32(j + 1), ks[j]) }; ms.removeAll(keepingCapacity: true); while sqlite3_step(h) == SQLITE_ROW { ms.append(read(h)) }; sqlite3_reset(h) }
        sqlite3_finalize(h)
    }
    time("raw update", 50000) {
        sqlite3_exec(db, "BEGIN IMMEDIATE", nil, nil, nil)
        var h: OpaquePointer?
        sqlite3_prepare_v3(db, "UPDATE ZMOVIE SET ZRATING = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?", -1, 1, &h, nil)
        for i in 0..<50000 { sqlite3_bind_double(h, 1, 9.5); sqlite3_bind_int64(h, 2, 2); sqlite3_bind_int64(h, 3, Int64(i + 1)); sqlite3_bind_int64(h, 4, 1); sqlite3_step(h); sqlite3_reset(h) }
        sqlite3_exec(db, "COMMIT", nil, nil, nil); sqlite3_finalize(h)
    }
    time("raw delete", 20000) {
        sqlite3_exec(db, "BEGIN IMMEDIATE", nil, nil, nil)
        var h: OpaquePointer?
        sqlite3_prepare_v3(db, "DELETE FROM ZMOVIE WHERE Z_PK = ? AND Z_OPT = ?", -1, 1, &h, nil)
        for i in 0..<20000 { sqlite3_bind_int64(h, 1, Int64(i * 5 + 1)); sqlite3_bind_int64(h, 2, i * 5 + 1 <= 50000 ? 2 : 1); sqlite3_step(h); sqlite3_reset(h) }
        sqlite3_exec(db, "COMMIT", nil, nil, nil); sqlite3_finalize(h)
    }
    sqlite3_close(db)
}
if CommandLine.arguments.last == "raw" { rawBench() } else { try engineBench() }

import Foundation
import TestSupport

/// Damages a copy of a store.
struct StoreMutation {
    enum Level: String, CaseIterable {
        case bytes, pages, values, links, schema, triggers, metadata, external, journals
    }

    let store: URL
    let outside: URL
    var random: SeededGenerator
    /// What was done, for reports.
    private(set) var notes: [String] = []

    init(_ store: URL, outside: URL, random: SeededGenerator) {
        (self.store, self.outside, self.random) = (store, outside, random)
    }

    mutating func run(_ level: Level) throws {
        switch level {
        case .bytes: try changeBytes()
        case .pages: try changePages()
        case .values: try changeDatabase { try $0.changeValues($1) }
        case .links: try changeDatabase { try $0.changeLinks($1) }
        case .schema: try changeDatabase { try $0.changeSchema($1) }
        case .triggers: try changeDatabase { try $0.addTrigger($1) }
        case .metadata: try changeDatabase { try $0.changeMetadata($1) }
        case .external: try changeExternal()
        case .journals: try addJournal()
        }
    }

    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(0..<elements.count)] }
    private mutating func flip(_ chances: Int) -> Bool { number(0..<chances) == 0 }

    // MARK: Bytes

    private mutating func changeBytes() throws {
        let file =
            flip(5) && FileManager.default.fileExists(atPath: store.path + "-wal")
            ? URL(fileURLWithPath: store.path + "-wal") : store
        var data = try Data(contentsOf: file)
        guard !data.isEmpty else { return }
        for _ in 0..<number(1..<8) where !data.isEmpty {
            // The header and the first page decide about everything.
            let place = number(0..<(flip(2) ? data.count : min(data.count, flip(2) ? 100 : 4096)))
            switch number(0..<8) {
            case 0: data = Data(data.prefix(place))
            case 1: data.replaceSubrange(place..<min(data.count, place + 16), with: Data(count: min(16, data.count - place)))
            case 2: data[place] ^= 1 << UInt8(number(0..<8))
            case 3: data[place] = 0xff
            case 4: data.append(contentsOf: (0..<number(1..<5000)).map { _ in UInt8.random(in: 0...255, using: &random) })
            default: data[place] = UInt8.random(in: 0...255, using: &random)
            }
            notes.append("byte \(place)")
        }
        try data.write(to: file)
    }

    private mutating func changePages() throws {
        var data = try Data(contentsOf: store)
        guard data.count >= 512 else { return }
        let given = Int(data[16]) << 8 | Int(data[17])
        let size = given == 1 ? 65536 : max(512, given)
        let count = data.count / size
        guard count > 1 else { return }
        for _ in 0..<number(1..<4) {
            let (a, b) = (number(0..<count), number(0..<count))
            func page(_ number: Int) -> Range<Int> { number * size..<(number + 1) * size }
            switch number(0..<7) {
            case 0: data.replaceSubrange(page(a), with: Data(data[page(b)]))
            case 1: data.replaceSubrange(page(a), with: Data(count: size))
            case 2:
                let kept = Data(data[page(a)])
                data.replaceSubrange(page(a), with: Data(data[page(b)]))
                data.replaceSubrange(page(b), with: kept)
            case 3: data[a * size + (a == 0 ? 100 : 0)] = pick([2, 5, 10, 13, 0, 255])
            case 4:
                // Numbers of the header: pages, free pages, the schema's cookie, versions, text encoding.
                let place = 18 + number(0..<82)
                data[place] = UInt8.random(in: 0...255, using: &random)
            case 5:
                // A page's header: free blocks, cells, where the content begins, the right-most child.
                data[a * size + (a == 0 ? 100 : 0) + number(1..<12)] = UInt8.random(in: 0...255, using: &random)
            default: data = Data(data.prefix((count - 1) * size))
            }
            notes.append("page \(a), \(b)")
            if data.count < count * size { break }
        }
        try data.write(to: store)
    }

    // MARK: SQL

    private mutating func changeDatabase(_ body: (inout StoreMutation, Database) throws -> Void) throws {
        let database = try Database(store)
        try database.execute("PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF")
        for _ in 0..<number(1..<4) { try body(&self, database) }
    }

    private mutating func execute(_ sql: String, _ database: Database) {
        notes.append(sql.count > 300 ? "\(sql.prefix(300))…" : sql)
        // Whatever SQLite refuses is no attack.
        try? database.execute(sql)
    }

    private func quoted(_ name: String) -> String { "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\"" }

    private mutating func tables(_ database: Database) throws -> [String] {
        try database.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'").compactMap(\.first)
            .compactMap { $0 }
    }

    private mutating func table(_ database: Database) throws -> (name: String, columns: [String])? {
        let tables = try tables(database)
        let entities = tables.filter { $0.hasPrefix("Z") && !$0.hasPrefix("Z_M") }
        guard let name = entities.isEmpty ? tables.first : pick(flip(6) ? tables : entities) else { return nil }
        return (name, try database.rows("PRAGMA table_info(\(quoted(name)))").compactMap { $0[1] })
    }

    private mutating func changeValues(_ database: Database) throws {
        guard let table = try table(database), !table.columns.isEmpty else { return }
        let column = pick(table.columns)
        let rows =
            flip(3)
            ? "" : " WHERE rowid = (SELECT rowid FROM \(quoted(table.name)) ORDER BY rowid LIMIT 1 OFFSET \(number(0..<6)))"
        execute("UPDATE \(quoted(table.name)) SET \(quoted(column)) = \(HostileValues.sql(&random))\(rows)", database)
    }

    /// Keys, entity numbers, versions and places.
    private mutating func changeLinks(_ database: Database) throws {
        guard let table = try table(database) else { return }
        let columns = table.columns.filter { $0.hasPrefix("Z_") || !$0.hasPrefix("Z") }
        let numbers = [
            "NULL", "0", "-1", "1", "2", "3", "77", "16001", "999999", "9223372036854775807", "-9223372036854775808",
            "9223372036854775806", "1.5", "'x'", "x'00'", "9e999",
            "4294967297", "65536",
        ]
        switch number(0..<6) {
        case 0:
            execute(
                "UPDATE Z_PRIMARYKEY SET \(pick(["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"])) = \(pick(numbers))\(flip(2) ? "" : " WHERE Z_ENT = \(number(1..<8))")",
                database)
        case 1: execute("DELETE FROM \(quoted(table.name)) WHERE rowid % \(number(2..<5)) = 0", database)
        case 2: execute("INSERT OR IGNORE INTO \(quoted(table.name)) SELECT * FROM \(quoted(table.name)) LIMIT 2", database)
        case 3:
            let copies = try database.rows("PRAGMA table_info(Z_PRIMARYKEY)").compactMap { $0[1] }.map {
                $0 == "Z_ENT" ? "Z_ENT + \(pick(["100", "0", "9223372036854770000"]))" : quoted($0)
            }
            execute("INSERT OR IGNORE INTO Z_PRIMARYKEY SELECT \(copies.joined(separator: ", ")) FROM Z_PRIMARYKEY", database)
        default:
            guard let column = columns.isEmpty ? table.columns.first : pick(columns) else { return }
            execute(
                "UPDATE OR IGNORE \(quoted(table.name)) SET \(quoted(column)) = \(pick(numbers))\(flip(2) ? "" : " WHERE rowid % 2 = 0")",
                database)
        }
    }

    private mutating func changeSchema(_ database: Database) throws {
        guard let table = try table(database) else { return }
        let name = quoted(table.name)
        switch number(0..<12) {
        case 0:
            execute("ALTER TABLE \(name) RENAME TO hidden; CREATE VIEW \(name) AS SELECT * FROM hidden", database)
        case 1:
            execute(
                "ALTER TABLE \(name) RENAME TO hidden; CREATE VIEW \(name) AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS Z_PK, 1 AS Z_ENT, 1 AS Z_OPT, hidden.* FROM n, hidden",
                database)
        case 2: execute("DROP TABLE \(name)", database)
        case 3: execute("ALTER TABLE \(name) DROP COLUMN \(quoted(table.columns.isEmpty ? "x" : pick(table.columns)))", database)
        case 4:
            execute(
                "ALTER TABLE \(name) RENAME COLUMN \(quoted(table.columns.isEmpty ? "x" : pick(table.columns))) TO \(quoted(pick(["Z_PK", "z_opt", "x y", "a\"b", "); DROP TABLE Z_METADATA; --", "Z_FOK_X"])))",
                database)
        case 5:
            execute("ALTER TABLE \(name) ADD COLUMN \(quoted(pick(["ZEXTRA", "Z_FOK_X", "x) FROM y", "SELECT", ""])))", database)
        case 6:
            execute(
                "DROP TABLE \(name); CREATE VIRTUAL TABLE \(name) USING \(pick(["fts5(Z_PK, Z_ENT, Z_OPT)", "rtree(Z_PK, Z_ENT, Z_OPT)", "coredata_list", "json_each", "dbstat", "nothing"]))",
                database)
        case 7:
            let columns =
                (["Z_PK INTEGER PRIMARY KEY"]
                + table.columns.filter { $0 != "Z_PK" }.map {
                    "\(quoted($0)) \(pick(["INTEGER", "VARCHAR", "BLOB", "NUMERIC", "TEXT COLLATE NOCASE", "CHECK (\(quoted($0)) < 3)", "DEFAULT (randomblob(1000))", "AS (1)", "REFERENCES nothing(x)"]))"
                }).joined(separator: ", ")
            execute(
                "ALTER TABLE \(name) RENAME TO hidden; CREATE TABLE \(name)(\(columns)); INSERT OR IGNORE INTO \(name) SELECT * FROM hidden; DROP TABLE hidden",
                database)
        case 8:
            execute("CREATE TABLE big(\((0..<1500).map { "c\($0)" }.joined(separator: ", ")))", database)
        case 9:
            execute(
                "CREATE INDEX hostile ON \(name)(\(pick(["hex(randomblob(100))", "abs(Z_PK)", "printf('%.*c', 100000, 'x')", "Z_PK || 'x'"])))",
                database)
        case 10:
            let sql = pick([
                "'CREATE TABLE x(y'", "'CREATE TABLE \(table.name)(Z_PK, Z_ENT, Z_OPT)'", "NULL", "'SELECT 1'",
                "'CREATE VIEW \(table.name) AS SELECT 1'",
            ])
            execute("PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = \(sql) WHERE name = '\(table.name)'", database)
        default:
            execute(
                "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = \(number(0..<40)) WHERE name = '\(table.name)'",
                database)
        }
    }

    private mutating func addTrigger(_ database: Database) throws {
        guard let table = try table(database) else { return }
        let name = quoted(table.name)
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
        let body = pick([
            "SELECT (\(endless));", "SELECT RAISE(IGNORE);", "SELECT RAISE(ABORT, 'no');", "SELECT RAISE(ROLLBACK, 'no');",
            "DELETE FROM \(name);",
            "UPDATE \(name) SET Z_OPT = Z_OPT + 1;", "INSERT INTO \(name) SELECT * FROM \(name);",
            "SELECT load_extension('/tmp/x');", "SELECT coredata_sum(1);",
            "UPDATE \(name) SET Z_PK = Z_PK + 1000;",
            "SELECT coredata_matches(1, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', '(a+)+$');",
            "SELECT count(*) FROM \(name) a, \(name) b, \(name) c, \(name) d, \(name) e, \(name) f, \(name) g, \(name) h, \(name) i;",
        ])
        let trigger = pick([
            "hostile\(number(0..<100))", "Z_DA_\(table.name)_X_y_PARAMETER_INSERT", "Z_DA_ZTHING_Folder_childCount_SOURCE_INSERT",
        ])
        execute(
            "DROP TRIGGER IF EXISTS \(trigger); CREATE TRIGGER \(trigger) \(pick(["BEFORE", "AFTER"])) \(pick(["INSERT", "UPDATE", "DELETE"])) ON \(name) FOR EACH ROW BEGIN \(body) END",
            database)
    }

    private static func bytes(hex: String) -> [UInt8] {
        let digits = hex.utf8.map { $0 < 0x3a ? $0 - 0x30 : $0 - 0x37 }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private mutating func changeMetadata(_ database: Database) throws {
        switch number(0..<8) {
        case 6, 7: try changeModel(database)
        case 0: execute("DELETE FROM Z_METADATA", database)
        case 1: execute("UPDATE Z_METADATA SET Z_UUID = \(HostileValues.sql(&random))", database)
        case 2: execute("INSERT INTO Z_METADATA SELECT Z_VERSION + 1, Z_UUID, Z_PLIST FROM Z_METADATA", database)
        case 3:
            var bytes = Self.bytes(hex: try database.text("SELECT hex(Z_PLIST) FROM Z_METADATA") ?? "")
            guard !bytes.isEmpty else { return }
            for _ in 0..<number(1..<5) { bytes[number(0..<bytes.count)] = UInt8.random(in: 0...255, using: &random) }
            execute("UPDATE Z_METADATA SET Z_PLIST = \(HostileValues.blob(Data(bytes)))", database)
        default: execute("UPDATE Z_METADATA SET Z_PLIST = \(HostileValues.blob(HostileValues.propertyList(&random)))", database)
        }
    }

    private mutating func changeModel(_ database: Database) throws {
        var bytes = Self.bytes(hex: try database.text("SELECT hex(Z_CONTENT) FROM Z_MODELCACHE") ?? "")
        guard !bytes.isEmpty else { return }
        for _ in 0..<number(1..<5) { bytes[number(0..<bytes.count)] = UInt8.random(in: 0...255, using: &random) }
        let content = flip(3) ? HostileValues.sql(&random) : HostileValues.blob(Data(bytes))
        execute("UPDATE Z_MODELCACHE SET Z_CONTENT = \(content)", database)
    }

    // MARK: Files beside the store

    private mutating func changeExternal() throws {
        let manager = FileManager.default
        let support = store.deletingLastPathComponent().appendingPathComponent(
            ".\(store.deletingPathExtension().lastPathComponent)_SUPPORT")
        let folder = support.appendingPathComponent("_EXTERNAL_DATA")
        if !flip(4) {
            try changeDatabase { mutation, database in
                for table in try mutation.tables(database) where table.hasPrefix("Z") && !table.hasPrefix("Z_") {
                    let columns = try database.rows("PRAGMA table_info(\(mutation.quoted(table)))").filter { $0[2] == "BLOB" }
                        .compactMap { $0[1] }
                    guard !columns.isEmpty else { continue }
                    let name = HostileValues.fileName(&mutation.random)
                    mutation.execute(
                        "UPDATE \(mutation.quoted(table)) SET \(mutation.quoted(mutation.pick(columns))) = \(HostileValues.externalName(name))",
                        database)
                }
            }
        }
        let target = outside.appendingPathComponent("_EXTERNAL_DATA")
        let kind = number(0..<8)
        notes.append("external \(kind)")
        switch kind {
        case 0:
            try? manager.removeItem(at: support)
            try manager.createSymbolicLink(at: support, withDestinationURL: outside)
        case 1:
            try? manager.removeItem(at: folder)
            try? manager.createDirectory(at: support, withIntermediateDirectories: true)
            try manager.createSymbolicLink(at: folder, withDestinationURL: target)
        default:
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
            let names = ((try? manager.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() + [AttackFolder.canary]
            for name in names where flip(2) || names.count == 1 {
                let file = folder.appendingPathComponent(name)
                try? manager.removeItem(at: file)
                switch kind {
                case 2:
                    try manager.createSymbolicLink(
                        at: file, withDestinationURL: target.appendingPathComponent(AttackFolder.canary))
                case 3: try manager.createDirectory(at: file, withIntermediateDirectories: true)
                case 4: mkfifo(file.path, 0o600)
                case 5:
                    _ = manager.createFile(atPath: file.path, contents: nil)
                    truncate(file.path, 1 << 42)
                case 6: try manager.createSymbolicLink(at: file, withDestinationURL: URL(fileURLWithPath: "/dev/zero"))
                default: break
                }
            }
        }
    }

    /// Logs and journals that another store, or nobody, has left.
    private mutating func addJournal() throws {
        let suffix = pick(["-journal", "-wal", "-shm"])
        notes.append(suffix)
        var data = Data()
        switch (suffix, number(0..<3)) {
        case ("-journal", 0), ("-journal", 1):
            // A journal with the name of a file that belongs to several databases: SQLite deletes that file in the end.
            let path = Data(outside.appendingPathComponent("secret.txt").path.utf8)
            let sum = path.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
            func big(_ value: UInt32) -> Data {
                Data([UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)])
            }
            let magic = Data([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
            data = magic + big(0) + big(0) + big(1) + big(512) + big(4096)
            data.append(Data(count: 512 - data.count))
            data += big(1_073_741_824 / 4096 + 1) + path + big(UInt32(path.count)) + big(sum) + magic
        default:
            data = Data((0..<number(1..<9000)).map { _ in UInt8.random(in: 0...255, using: &random) })
            if suffix == "-wal" {
                data.replaceSubrange(0..<min(4, data.count), with: Data([0x37, 0x7f, 0x06, 0x82]).prefix(min(4, data.count)))
            }
        }
        try data.write(to: URL(fileURLWithPath: store.path + suffix))
    }
}

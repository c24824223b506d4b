import DataModel
import Foundation
import Storage

/// Makes the history of a store one of the newer model: what it says of entities by number and of properties by their places.
///
/// The history of entities that are gone goes with them.
struct HistoryMigration {
    let mapping: MigrationMapping
    let connection: Connection

    func run() throws {
        try moveTombstones()
        try moveColumns()
        try renumber()
    }

    private func renumber() throws {
        var cases: [String] = []
        var removed: [String] = []
        for (index, number) in mapping.old.numbers.enumerated() {
            guard let destination = mapping.destinations[index] else {
                removed.append("\(number)")
                continue
            }
            if mapping.new.numbers[destination] != number {
                cases.append("WHEN \(number) THEN \(mapping.new.numbers[destination])")
            }
        }
        if !removed.isEmpty {
            try connection.execute("DELETE FROM ACHANGE WHERE ZENTITY IN (\(removed.joined(separator: ", ")))", .saving)
        }
        guard !cases.isEmpty else { return }
        try connection.execute(
            "UPDATE ACHANGE SET ZENTITY = CASE ZENTITY \(cases.joined(separator: " ")) ELSE ZENTITY END", .saving)
    }

    // MARK: Columns

    /// The places of the older properties by those of the newer ones; nil if all are the same.
    private func places(_ source: Int, _ destination: Int) -> [Int?]? {
        let older = HistoryColumns(mapping.old.layout.entities[source]).names
        let newer = HistoryColumns(mapping.new.layout.entities[destination]).names
        let pairs = mapping.match.entities[mapping.new.layout.entities[destination].name]?.properties ?? [:]
        let places = newer.map { name in older.firstIndex(of: pairs[name]?.name ?? name) }
        return places == older.indices.map { $0 } ? nil : places
    }

    private func moveColumns() throws {
        for (source, destination) in mapping.destinations.enumerated() {
            guard let destination, let places = places(source, destination) else { continue }
            let number = mapping.old.numbers[source]
            var known: [[UInt8]] = []
            try connection.rows(
                "SELECT DISTINCT ZCOLUMNS FROM ACHANGE WHERE ZENTITY = \(number) AND typeof(ZCOLUMNS) = 'blob'", .saving
            ) { known.append(Array($0.blob(0))) }
            guard !known.isEmpty else { continue }
            // A mask may become what another one was before, so all change in one statement.
            try connection.execute("CREATE TEMP TABLE coredata_masks (old BLOB PRIMARY KEY, new BLOB)", .saving)
            let insert = try connection.prepare("INSERT INTO temp.coredata_masks VALUES (?, ?)", .saving, isKept: false)
            for bits in known {
                var moved = [UInt8](repeating: 0, count: (places.count + 7) / 8)
                for (new, old) in places.enumerated() {
                    guard let old, old / 8 < bits.count, bits[old / 8] & (0x80 >> UInt8(old % 8)) != 0 else { continue }
                    moved[new / 8] |= 0x80 >> UInt8(new % 8)
                }
                bits.withUnsafeBytes { insert.bind(blob: $0, at: 1) }
                moved.withUnsafeBytes { insert.bind(blob: $0, at: 2) }
                try insert.run(.saving)
            }
            try connection.execute(
                "UPDATE ACHANGE SET ZCOLUMNS = (SELECT new FROM temp.coredata_masks WHERE old = ZCOLUMNS) "
                    + "WHERE ZENTITY = \(number) AND typeof(ZCOLUMNS) = 'blob'", .saving)
            try connection.execute("DROP TABLE temp.coredata_masks", .saving)
        }
    }

    // MARK: Values of deleted objects

    private func moveTombstones() throws {
        var columns: Set<String> = []
        try connection.rows("PRAGMA table_info(ACHANGE)", .saving) { row in
            if let name = row.text(1), name.hasPrefix("ZTOMBSTONE") { columns.insert(name) }
        }
        for number in 0..<HistoryTables(mapping.new.layout).tombstones where columns.insert("ZTOMBSTONE\(number)").inserted {
            try connection.execute("ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE\(number) BLOB", .saving)
        }
        for (source, destination) in mapping.destinations.enumerated() {
            guard let destination else { continue }
            let older = mapping.old.layout.entities[source].attributesPreservedOnDeletion
            let newer = mapping.new.layout.entities[destination].attributesPreservedOnDeletion
            let pairs = mapping.match.entities[mapping.new.layout.entities[destination].name]?.properties ?? [:]
            let places = newer.map { pairs[$0]?.name }.map { name in name.flatMap(older.firstIndex) }
            guard places != older.indices.map({ $0 }) else { continue }
            let assignments = columns.compactMap { name -> String? in
                guard let number = Int(name.dropFirst("ZTOMBSTONE".count)) else { return nil }
                let old = number < places.count ? places[number] : nil
                guard old != number else { return nil }
                return "\(name) = \(old.map { "ZTOMBSTONE\($0)" } ?? "NULL")"
            }
            guard !assignments.isEmpty else { continue }
            try connection.execute(
                "UPDATE ACHANGE SET \(assignments.sorted().joined(separator: ", ")) "
                    + "WHERE ZENTITY = \(mapping.old.numbers[source]) AND ZCHANGETYPE = 2", .saving)
        }
    }
}

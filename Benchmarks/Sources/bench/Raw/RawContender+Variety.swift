import BenchmarkKit
import CBenchmarkSystem
import Foundation

// MARK: - Rarer kinds of values and relationships

extension RawContender {
    func fetchManyAttributes(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.variety.path)
        var checksum = Checksum()
        let count = try meter.measure {
            var sheets: [RawSheet] = []
            try database.forEachRow("SELECT \(RawSheet.columns) FROM ZSHEET") { sheets.append(RawSheet($0)) }
            for sheet in sheets { sheet.add(to: &checksum) }
            return sheets.count
        }
        return Outcome(units: count, checksum: checksum)
    }

    func fetchLongTexts(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.variety.path)
        var checksum = Checksum()
        let count = try meter.measure {
            var letters: [(key: Int64, version: Int64, number: Int64, text: String)] = []
            try database.forEachRow("SELECT Z_PK, Z_OPT, ZNUMBER, ZTEXT FROM ZLETTER") {
                letters.append(
                    (
                        sqlite3_column_int64($0, 0), sqlite3_column_int64($0, 1), sqlite3_column_int64($0, 2),
                        RawMovie.text($0, 3)
                    ))
            }
            for letter in letters {
                checksum.add(letter.number)
                checksum.add(letter.text)
            }
            return letters.count
        }
        return Outcome(units: count, checksum: checksum)
    }

    func fetchFewAttributes(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.full.path)
        var checksum = Checksum()
        let count = try meter.measure {
            var rows: [(title: String, year: Int32)] = []
            try database.forEachRow("SELECT ZTITLE, ZYEAR FROM ZMOVIE") {
                rows.append((RawMovie.text($0, 0), sqlite3_column_int($0, 1)))
            }
            for row in rows {
                checksum.add(row.title)
                checksum.add(row.year)
            }
            return rows.count
        }
        return Outcome(units: count, checksum: checksum)
    }

    func upsert(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.variety.path)
        let count = VarietyData(size: size).items * 2
        let entity = try database.integer("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Item'")
        let sql = """
            INSERT INTO ZITEM (Z_ENT, Z_OPT, ZCODE, ZTITLE, ZCOUNT) VALUES (?, 1, ?, ?, 1)
            ON CONFLICT (ZCODE) DO UPDATE SET Z_OPT = Z_OPT + 1, ZTITLE = excluded.ZTITLE, ZCOUNT = excluded.ZCOUNT
            """
        try meter.measure {
            try database.inTransaction(sql) { statement in
                for code in 0..<count {
                    sqlite3_bind_int64(statement, 1, entity)
                    sqlite3_bind_int64(statement, 2, Int64(code))
                    Self.bind("New", statement, 3)
                    try database.step(statement, sql)
                }
                try database.execute(
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT MAX(Z_PK) FROM ZITEM) WHERE Z_ENT = \(entity)")
            }
        }
        return Outcome(units: count, checksum: try Self.itemChecksum(stores.variety.path))
    }

    func exchangeTags(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.variety.path)
        let (table, post, tag) = try Self.tagTable(database)
        var tags: [Int64] = []
        try database.forEachRow("SELECT Z_PK FROM ZTAG ORDER BY ZNUMBER") { tags.append(sqlite3_column_int64($0, 0)) }
        var posts: [(key: Int64, number: Int)] = []
        try database.forEachRow("SELECT Z_PK, ZNUMBER FROM ZPOST") {
            posts.append((sqlite3_column_int64($0, 0), Int(sqlite3_column_int64($0, 1))))
        }
        let delete = "DELETE FROM \(table) WHERE \(post) = ? AND \(tag) = ?"
        let insert = "INSERT INTO \(table) (\(post), \(tag)) VALUES (?, ?)"
        try meter.measure {
            try database.inTransaction([delete, insert, "UPDATE ZPOST SET Z_OPT = Z_OPT + 1 WHERE Z_PK = ?"]) { statements in
                for (key, number) in posts {
                    sqlite3_bind_int64(statements[0], 1, key)
                    sqlite3_bind_int64(statements[0], 2, tags[number % tags.count])
                    sqlite3_bind_int64(statements[1], 1, key)
                    sqlite3_bind_int64(statements[1], 2, tags[(number + 2) % tags.count])
                    sqlite3_bind_int64(statements[2], 1, key)
                    for statement in statements { try database.step(statement, insert) }
                }
                // Every tag lost members and got others.
                try database.execute("UPDATE ZTAG SET Z_OPT = Z_OPT + 1")
            }
        }
        return Outcome(units: posts.count, checksum: try Self.tagChecksum(stores.variety.path))
    }

    /// The join table with its columns, named after the numbers of the entities.
    private static func tagTable(_ database: RawDatabase) throws -> (table: String, post: String, tag: String) {
        var table = ""
        try database.forEachRow("SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*' AND type = 'table'") {
            table = RawMovie.text($0, 0)
        }
        var columns: [String] = []
        try database.forEachRow("SELECT name FROM pragma_table_info('\(table)')") { columns.append(RawMovie.text($0, 0)) }
        guard let post = columns.first(where: { $0.hasSuffix("POSTS") }), let tag = columns.first(where: { $0.hasSuffix("TAGS") })
        else { throw BenchmarkError("no table of tags, but \(table) with \(columns)") }
        return (table, post, tag)
    }

    /// A row between its neighbours: none of them has to be touched.
    func insertIntoOrder(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.variety.path)
        let entity = try database.integer("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Track'")
        let list = try database.integer("SELECT Z_PK FROM ZPLAYLIST")
        let middle = try database.integer("SELECT COUNT(*) FROM ZTRACK") / 2
        try meter.measure {
            for number in 0..<VarietyData.orderedInsertions {
                try database.execute(
                    """
                    BEGIN IMMEDIATE;
                    INSERT INTO ZTRACK (Z_ENT, Z_OPT, ZNUMBER, ZPLAYLIST, Z_FOK_PLAYLIST) SELECT \(entity), 1, \(-number), \(list),
                    SUM(Z_FOK_PLAYLIST) / 2 FROM (SELECT Z_FOK_PLAYLIST FROM ZTRACK WHERE ZPLAYLIST = \(list)
                    ORDER BY Z_FOK_PLAYLIST LIMIT 2 OFFSET \(middle - 1));
                    UPDATE ZPLAYLIST SET Z_OPT = Z_OPT + 1 WHERE Z_PK = \(list);
                    UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_ENT = \(entity);
                    COMMIT
                    """)
            }
        }
        return Outcome(units: VarietyData.orderedInsertions, checksum: try Self.orderChecksum(stores.variety.path))
    }
}

// MARK: - What contenders have written

extension RawContender {
    static func itemChecksum(_ path: String) throws -> Checksum {
        var checksum = Checksum()
        try RawDatabase(path: path).forEachRow("SELECT ZCODE, ZTITLE, ZCOUNT FROM ZITEM") {
            checksum.add(sqlite3_column_int64($0, 0) * (sqlite3_column_int64($0, 2) + 1))
            checksum.addContent(RawMovie.text($0, 1))
        }
        return checksum
    }

    static func tagChecksum(_ path: String) throws -> Checksum {
        let database = try RawDatabase(path: path)
        let (table, post, tag) = try tagTable(database)
        var checksum = Checksum()
        try database.forEachRow(
            """
            SELECT p.ZNUMBER, t.ZNUMBER FROM \(table) AS j JOIN ZPOST AS p ON p.Z_PK = j.\(post) JOIN ZTAG AS t ON t.Z_PK = j.\(tag)
            """
        ) { checksum.add(sqlite3_column_int64($0, 0) * 1009 + sqlite3_column_int64($0, 1)) }
        return checksum
    }

    static func orderChecksum(_ path: String) throws -> Checksum {
        var checksum = Checksum()
        var position: Int64 = 0
        try RawDatabase(path: path).forEachRow("SELECT ZNUMBER FROM ZTRACK ORDER BY Z_FOK_PLAYLIST") {
            position += 1
            checksum.add(sqlite3_column_int64($0, 0) &* position)
        }
        return checksum
    }
}

// MARK: - Many at once

extension RawContender {
    func walk(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.full.path)
        let people = try Self.allPeople(database)
        let movies = try Self.allMovies(database)
        let passes = 5
        var checksum = Checksum()
        meter.measure {
            for _ in 0..<passes {
                for movie in movies {
                    if let director = movie.director, let name = people[director] { checksum.add(name) }
                }
            }
        }
        return Outcome(units: movies.count * passes, checksum: checksum)
    }

    func readBesideWriter(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.full.path)
        let path = stores.full.path
        let checksum = try meter.measure {
            try ConcurrentReaders.run {
                try updateRatings(database)
            } reader: {
                var checksum = Checksum()
                for movie in try Self.allMovies(RawDatabase(path: path)) { checksum.add(movie.title) }
                return checksum
            }
        }
        return Outcome(units: ConcurrentReaders.count, checksum: checksum)
    }

    func openAndRead(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        var checksum = Checksum()
        let times = 5
        for _ in 0..<times {
            let database = try meter.measure {
                let database = try RawDatabase(path: stores.full.path)
                try database.forEachRow("SELECT \(RawMovie.columns) FROM ZMOVIE LIMIT 1") {
                    RawMovie($0).add(to: &checksum)
                }
                return database
            }
            withExtendedLifetime(database) {}
        }
        return Outcome(units: times, checksum: checksum)
    }

    /// Lists in order of their durations, kept by hand: out of one, into another.
    func followLists(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        typealias Entry = (duration: Int64, key: Int64)
        let movies = try Self.allMovies(RawDatabase(path: stores.full.path))
        var lists = [[Entry]](repeating: [], count: ListWorkload.lists)
        for movie in movies {
            let list = Int(movie.year) - ListWorkload.firstYear
            if lists.indices.contains(list) { lists[list].append((movie.duration, movie.key)) }
        }
        for index in lists.indices { lists[index].sort { ($0.duration, $0.key) < ($1.duration, $1.key) } }
        func position(_ entry: Entry, _ list: [Entry]) -> Int {
            var range = 0..<list.count
            while !range.isEmpty {
                let middle = (range.lowerBound + range.upperBound) / 2
                range = list[middle] < entry ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            return range.lowerBound
        }
        meter.measure {
            for movie in movies.prefix(ListWorkload.changes) {
                let entry = (movie.duration, movie.key)
                let old = Int(movie.year) - ListWorkload.firstYear
                let new = ListWorkload.newYear(Int(movie.year)) - ListWorkload.firstYear
                if lists.indices.contains(old) { lists[old].remove(at: position(entry, lists[old])) }
                lists[new].insert(entry, at: position(entry, lists[new]))
            }
        }
        var checksum = Checksum()
        for (index, list) in lists.enumerated() { checksum.add(list.count * (index + 1)) }
        return Outcome(units: min(movies.count, ListWorkload.changes), checksum: checksum)
    }

    /// Ten dictionaries are given the new rows, which are read once.
    func mergeTenfold(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.full.path)
        let sql = "SELECT \(RawMovie.columns) FROM ZMOVIE LIMIT \(size.merged)"
        var known: [Int64: RawMovie] = [:]
        try database.forEachRow(sql) {
            let movie = RawMovie($0)
            known[movie.key] = movie
        }
        var dictionaries = [[Int64: RawMovie]](repeating: known, count: MergeWorkload.contexts)
        // A copy of its own for each.
        for index in dictionaries.indices { dictionaries[index].reserveCapacity(known.count + 1) }
        try updateRatings(database, count: size.merged)
        var checksum = Checksum()
        try meter.measure {
            var rows: [RawMovie] = []
            try database.forEachRow(sql) { rows.append(RawMovie($0)) }
            for index in dictionaries.indices {
                for row in rows { dictionaries[index][row.key] = row }
                for movie in dictionaries[index].values { checksum.add(movie.rating) }
            }
        }
        return Outcome(units: known.count * dictionaries.count, checksum: checksum)
    }

    func fetchOddSize(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.full.path)
        var checksum = Checksum()
        let count = try meter.measure {
            var movies: [RawMovie] = []
            try database.forEachRow("SELECT \(RawMovie.columns) FROM ZMOVIE LIMIT \(size.odd)") { movies.append(RawMovie($0)) }
            for movie in movies { movie.add(to: &checksum) }
            return movies.count
        }
        return Outcome(units: count, checksum: checksum)
    }
}

import BenchmarkKit
import CBenchmarkSystem
import Foundation

/// The work done with SQLite's C API from Swift: prepared statements, values turned into Swift's own, kept in an array of structs.
struct RawContender: Contender {
    let size: DatasetSize

    func run(_ workload: Workload, stores: PreparedStores, meter: inout Meter) throws -> Outcome {
        switch workload {
        case .insert, .batchInsert: try insert(stores, &meter)
        case .fetch, .registered: try fetch(stores, &meter)
        case .fault, .siblings: try fault(stores, &meter)
        case .filter: try filter(stores, &meter)
        case .update: try update(stores, &meter)
        case .delete: try delete(stores, &meter)
        case .batchUpdate: try updateBatch(stores, &meter)
        case .anyMember: try fetchByAnyMember(stores, &meter)
        case .groups: try group(stores, &meter)
        case .page: try readPage(stores, &meter)
        case .traverse, .traverseByJoin, .prefetch: try traverse(stores, &meter)
        case .aggregate: try aggregate(stores, &meter)
        case .memory: try memory(stores)
        case .slotRead: try LibraryContender(size: size).readSlot(stores, &meter)
        case .slotWrite: try LibraryContender(size: size).writeSlot(stores, &meter)
        case .keyRead: try LibraryContender(size: size).readByKey(stores, &meter)
        case .keyWrite: try LibraryContender(size: size).writeByKey(stores, &meter)
        case .managedRead: try LibraryContender(size: size).readScalar(stores, &meter)
        case .managedWrite: try LibraryContender(size: size).writeScalar(stores, &meter)
        case .observers, .observerSets: HandWrittenObservers(size: size).run(&meter)
        case .manyAttributes: try fetchManyAttributes(stores, &meter)
        case .longTexts: try fetchLongTexts(stores, &meter)
        case .fewAttributes: try fetchFewAttributes(stores, &meter)
        case .upsert: try upsert(stores, &meter)
        case .manyToMany: try exchangeTags(stores, &meter)
        case .orderedInsert: try insertIntoOrder(stores, &meter)
        case .keyPaths: try walk(stores, &meter)
        case .readers: try readBesideWriter(stores, &meter)
        case .open: try openAndRead(stores, &meter)
        case .liveLists: try followLists(stores, &meter)
        case .tenMerges: try mergeTenfold(stores, &meter)
        case .oddSize: try fetchOddSize(stores, &meter)
        case .scalar, .string, .parse, .evaluate, .faultBatches, .inverses, .memberInsert, .changes, .undo, .childSave, .tracked,
            .oneObserver, .hundredObservers, .liveList, .merge, .conflict, .openEntities, .batches:
            throw BenchmarkError("\(workload.rawValue) has no raw counterpart")
        }
    }

    /// Reads a whole file of movies, for comparing what contenders have written.
    static func contentChecksum(_ path: String) throws -> Checksum {
        let database = try RawDatabase(path: path)
        var checksum = Checksum()
        for movie in try allMovies(database) { movie.addContent(to: &checksum) }
        return checksum
    }

    static func allMovies(_ database: RawDatabase) throws -> [RawMovie] {
        let statement = try database.prepare("SELECT \(RawMovie.columns) FROM ZMOVIE")
        defer { sqlite3_finalize(statement) }
        var movies: [RawMovie] = []
        while sqlite3_step(statement) == SQLITE_ROW { movies.append(RawMovie(statement)) }
        return movies
    }
}

// MARK: - Reading

extension RawContender {
    private func fetch(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.full.path)
        defer { withExtendedLifetime(database) {} }
        var checksum = Checksum()
        let count = try meter.measure {
            let movies = try Self.allMovies(database)
            for movie in movies { movie.add(to: &checksum) }
            return movies.count
        }
        return Outcome(units: count, checksum: checksum)
    }

    private func fault(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.full.path)
        defer { withExtendedLifetime(database) {} }
        let keys = size.faultKeys
        let sql = "SELECT \(RawMovie.columns) FROM ZMOVIE WHERE Z_PK = ?"
        var checksum = Checksum()
        try meter.measure {
            let statement = try database.prepare(sql)
            defer { sqlite3_finalize(statement) }
            var movies: [RawMovie] = []
            for key in keys {
                sqlite3_bind_int64(statement, 1, key)
                guard sqlite3_step(statement) == SQLITE_ROW else { throw database.failure(sql) }
                let movie = RawMovie(statement)
                movie.add(to: &checksum)
                movies.append(movie)
                sqlite3_reset(statement)
            }
        }
        return Outcome(units: keys.count, checksum: checksum)
    }

    private func filter(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.full.path)
        defer { withExtendedLifetime(database) {} }
        var checksum = Checksum()
        let queries = 5
        try meter.measure {
            for _ in 0..<queries {
                let statement = try database.prepare(
                    "SELECT \(RawMovie.columns) FROM ZMOVIE WHERE ZRATING > ? AND ZTITLE LIKE ? ORDER BY ZTITLE LIMIT 100")
                defer { sqlite3_finalize(statement) }
                sqlite3_bind_double(statement, 1, FilterWorkload.rating)
                sqlite3_bind_text(statement, 2, "%\(FilterWorkload.text)%", -1, bench_transient())
                var movies: [RawMovie] = []
                while sqlite3_step(statement) == SQLITE_ROW { movies.append(RawMovie(statement)) }
                for movie in movies { movie.add(to: &checksum) }
            }
        }
        return Outcome(units: queries, checksum: checksum)
    }

    private func traverse(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.full.path)
        defer { withExtendedLifetime(database) {} }
        var checksum = Checksum()
        let count = try meter.measure {
            let people = try Self.allPeople(database)
            let movies = try Self.allMovies(database)
            for movie in movies {
                movie.add(to: &checksum)
                if let director = movie.director, let name = people[director] { checksum.add(name) }
            }
            return movies.count
        }
        return Outcome(units: count, checksum: checksum)
    }

    static func allPeople(_ database: RawDatabase) throws -> [Int64: String] {
        let statement = try database.prepare("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ZPERSON")
        defer { sqlite3_finalize(statement) }
        var people: [Int64: String] = [:]
        while sqlite3_step(statement) == SQLITE_ROW { people[sqlite3_column_int64(statement, 0)] = RawMovie.text(statement, 3) }
        return people
    }

    private func aggregate(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.full.path)
        defer { withExtendedLifetime(database) {} }
        let sql = "SELECT COUNT(*), SUM(ZDURATION) FROM ZMOVIE"
        var checksum = Checksum()
        let queries = 5
        try meter.measure {
            for _ in 0..<queries {
                let statement = try database.prepare(sql)
                defer { sqlite3_finalize(statement) }
                guard sqlite3_step(statement) == SQLITE_ROW else { throw database.failure(sql) }
                checksum.add(sqlite3_column_int64(statement, 0))
                checksum.add(sqlite3_column_int64(statement, 1))
            }
        }
        return Outcome(units: queries, checksum: checksum)
    }

    private func memory(_ stores: PreparedStores) throws -> Outcome {
        let database = try RawDatabase(path: stores.full.path)
        defer { withExtendedLifetime(database) {} }
        // Once for the page cache, whose memory does not count.
        _ = try Self.allMovies(database)
        let before = Meter.allocatedBytes
        let movies = try Self.allMovies(database)
        let bytes = Meter.allocatedBytes - before
        var checksum = Checksum()
        for movie in movies { movie.add(to: &checksum) }
        return Outcome(units: movies.count, checksum: checksum, bytes: bytes)
    }
}

// MARK: - Writing

extension RawContender {
    private func insert(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let movies = Dataset(size: size).movies
        let database = try RawDatabase(path: stores.people.path)
        defer { withExtendedLifetime(database) {} }
        let entity = try database.integer("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Movie'")
        let people = try Self.peopleKeys(database)
        let sql = "INSERT INTO ZMOVIE (\(RawMovie.columns)) VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        try meter.measure {
            try database.execute("BEGIN IMMEDIATE")
            let statement = try database.prepare(sql)
            defer { sqlite3_finalize(statement) }
            for (index, movie) in movies.enumerated() {
                sqlite3_bind_int64(statement, 1, Int64(index + 1))
                sqlite3_bind_int64(statement, 2, entity)
                Self.bind(movie, people, statement)
                guard sqlite3_step(statement) == SQLITE_DONE else { throw database.failure(sql) }
                sqlite3_reset(statement)
            }
            try database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(movies.count) WHERE Z_ENT = \(entity)")
            try database.execute("COMMIT")
        }
        return Outcome(units: movies.count, checksum: try Self.contentChecksum(stores.people.path))
    }

    /// Keys of the people in the order of `Dataset.people`.
    private static func peopleKeys(_ database: RawDatabase) throws -> [Int64] {
        let statement = try database.prepare("SELECT Z_PK FROM ZPERSON ORDER BY Z_PK")
        defer { sqlite3_finalize(statement) }
        var keys: [Int64] = []
        while sqlite3_step(statement) == SQLITE_ROW { keys.append(sqlite3_column_int64(statement, 0)) }
        return keys
    }

    private static func bind(_ movie: MovieValues, _ people: [Int64], _ statement: OpaquePointer) {
        sqlite3_bind_int64(statement, 3, Int64(movie.year))
        sqlite3_bind_int64(statement, 4, movie.duration)
        sqlite3_bind_double(statement, 5, movie.rating)
        if let rating = movie.userRating { sqlite3_bind_double(statement, 6, rating) } else { sqlite3_bind_null(statement, 6) }
        sqlite3_bind_double(statement, 7, movie.released)
        bind(movie.imdbID, statement, 8)
        bind(movie.title, statement, 9)
        bind(movie.tagline, statement, 10)
        sqlite3_bind_int64(statement, 11, movie.isColor ? 1 : 0)
        if let director = movie.director {
            sqlite3_bind_int64(statement, 12, people[director])
        } else {
            sqlite3_bind_null(statement, 12)
        }
    }

    static func bind(_ text: String, _ statement: OpaquePointer, _ index: Int32) {
        var text = text
        text.withUTF8 { bytes in
            _ = bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count), bench_transient())
            }
        }
    }

    private func update(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.full.path)
        defer { withExtendedLifetime(database) {} }
        try meter.measure { try updateRatings(database) }
        return Outcome(units: size.updates, checksum: try Self.contentChecksum(stores.full.path))
    }

    func updateRatings(_ database: RawDatabase, count: Int? = nil) throws {
        let sql = "UPDATE ZMOVIE SET ZRATING = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?"
        try database.inTransaction(sql) { statement in
            for index in 0..<(count ?? size.updates) {
                sqlite3_bind_double(statement, 1, UpdateWorkload.rating(index))
                sqlite3_bind_int64(statement, 2, 2)
                sqlite3_bind_int64(statement, 3, Int64(index + 1))
                sqlite3_bind_int64(statement, 4, 1)
                try database.step(statement, sql)
                guard sqlite3_changes(database.connection) == 1 else { throw database.failure(sql) }
            }
        }
    }

    private func updateBatch(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.full.path)
        defer { withExtendedLifetime(database) {} }
        try meter.measure {
            try database.execute(
                "UPDATE ZMOVIE SET ZYEAR = 2000, Z_OPT = Z_OPT + 1 WHERE ZRATING > \(FilterWorkload.rating)")
        }
        return Outcome(units: size.movies, checksum: try Self.contentChecksum(stores.full.path))
    }

    private func delete(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let database = try RawDatabase(path: stores.full.path)
        defer { withExtendedLifetime(database) {} }
        let sql = "DELETE FROM ZMOVIE WHERE Z_PK = ? AND Z_OPT = ?"
        try meter.measure {
            try database.execute("BEGIN IMMEDIATE")
            let statement = try database.prepare(sql)
            defer { sqlite3_finalize(statement) }
            for index in 0..<size.deletes {
                sqlite3_bind_int64(statement, 1, Int64(index * 5 + 1))
                sqlite3_bind_int64(statement, 2, 1)
                guard sqlite3_step(statement) == SQLITE_DONE, sqlite3_changes(database.connection) == 1 else {
                    throw database.failure(sql)
                }
                sqlite3_reset(statement)
            }
            try database.execute("COMMIT")
        }
        return Outcome(units: size.deletes, checksum: try Self.contentChecksum(stores.full.path))
    }
}

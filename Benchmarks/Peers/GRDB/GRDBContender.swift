import BenchmarkKit
import Foundation
import GRDB

/// The work done with GRDB, on the files that the library made.
struct GRDBContender<Movie: MovieRecord>: Contender {
    let size: DatasetSize

    func run(_ workload: Workload, stores: PreparedStores, meter: inout Meter) throws -> Outcome {
        let queue = try open(workload == .insert ? stores.people : stores.full)
        switch workload {
        case .insert: return try insert(queue, &meter)
        case .fetch: return try fetch(queue, &meter)
        case .fault: return try fetchByKey(queue, &meter)
        case .filter: return try filter(queue, &meter)
        case .update: return try update(queue, &meter)
        case .delete: return try delete(queue, &meter)
        case .traverse: return try traverse(queue, &meter)
        case .traverseByJoin: return try join(queue, &meter)
        case .aggregate: return try aggregate(queue, &meter)
        default: throw BenchmarkError("GRDB does not take part in \(workload.rawValue)")
        }
    }

    /// With the settings that the library uses.
    private func open(_ url: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384")
        }
        return try DatabaseQueue(path: url.path, configuration: configuration)
    }

    private func content(_ queue: DatabaseQueue) throws -> Checksum {
        var checksum = Checksum()
        for movie in try queue.read({ try Movie.fetchAll($0) }) { movie.addContent(to: &checksum) }
        return checksum
    }

    // MARK: Reading

    private func fetch(_ queue: DatabaseQueue, _ meter: inout Meter) throws -> Outcome {
        var checksum = Checksum()
        let count = try meter.measure {
            let movies = try queue.read { try Movie.fetchAll($0) }
            for movie in movies { movie.add(to: &checksum) }
            return movies.count
        }
        return Outcome(units: count, checksum: checksum)
    }

    private func fetchByKey(_ queue: DatabaseQueue, _ meter: inout Meter) throws -> Outcome {
        let keys = size.faultKeys
        var checksum = Checksum()
        try meter.measure {
            try queue.read { database in
                var movies: [Movie] = []
                for key in keys {
                    guard let movie = try Movie.fetchOne(database, key: key) else { throw BenchmarkError("no movie \(key)") }
                    movie.add(to: &checksum)
                    movies.append(movie)
                }
            }
        }
        return Outcome(units: keys.count, checksum: checksum)
    }

    private func filter(_ queue: DatabaseQueue, _ meter: inout Meter) throws -> Outcome {
        var checksum = Checksum()
        let queries = 5
        try meter.measure {
            for _ in 0..<queries {
                let movies = try queue.read {
                    try Movie.filter(
                        Column("ZRATING") > FilterWorkload.rating && Column("ZTITLE").like("%\(FilterWorkload.text)%")
                    )
                    .order(Column("ZTITLE")).limit(100).fetchAll($0)
                }
                for movie in movies { movie.add(to: &checksum) }
            }
        }
        return Outcome(units: queries, checksum: checksum)
    }

    /// The people by key, then the movies.
    private func traverse(_ queue: DatabaseQueue, _ meter: inout Meter) throws -> Outcome {
        var checksum = Checksum()
        let count = try meter.measure {
            let (people, movies) = try queue.read { database in
                var people: [Int64: String] = [:]
                let cursor = try Row.fetchCursor(database, sql: "SELECT Z_PK, ZNAME FROM ZPERSON")
                while let row = try cursor.next() { people[row[0]] = row[1] }
                return (people, try Movie.fetchAll(database))
            }
            for movie in movies {
                movie.add(to: &checksum)
                if let director = movie.director, let name = people[director] { checksum.add(name) }
            }
            return movies.count
        }
        return Outcome(units: count, checksum: checksum)
    }

    private func join(_ queue: DatabaseQueue, _ meter: inout Meter) throws -> Outcome {
        var checksum = Checksum()
        let count = try meter.measure {
            let director = Movie.belongsTo(PersonRecord.self, key: "director", using: ForeignKey(["ZDIRECTOR"], to: ["Z_PK"]))
            let infos = try queue.read {
                try Movie.including(optional: director).asRequest(of: MovieWithDirector<Movie>.self).fetchAll($0)
            }
            for info in infos {
                info.movie.add(to: &checksum)
                if let director = info.director { checksum.add(director.name) }
            }
            return infos.count
        }
        return Outcome(units: count, checksum: checksum)
    }

    private func aggregate(_ queue: DatabaseQueue, _ meter: inout Meter) throws -> Outcome {
        var checksum = Checksum()
        let queries = 5
        try meter.measure {
            for _ in 0..<queries {
                try queue.read { database in
                    checksum.add(try Movie.fetchCount(database))
                    checksum.add(try Movie.select(sum(Column("ZDURATION")), as: Int64.self).fetchOne(database) ?? 0)
                }
            }
        }
        return Outcome(units: queries, checksum: checksum)
    }

    // MARK: Writing

    private func insert(_ queue: DatabaseQueue, _ meter: inout Meter) throws -> Outcome {
        let values = Dataset(size: size).movies
        let (entity, people) = try queue.read { database in
            (
                try Int64.fetchOne(database, sql: "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Movie'") ?? 0,
                try Int64.fetchAll(database, sql: "SELECT Z_PK FROM ZPERSON ORDER BY Z_PK")
            )
        }
        try meter.measure {
            try queue.write { database in
                for (index, values) in values.enumerated() {
                    try Movie(values, key: Int64(index + 1), entity: entity, director: values.director.map { people[$0] })
                        .insert(database)
                }
                try database.execute(
                    sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", arguments: [values.count, entity])
            }
        }
        return Outcome(units: values.count, checksum: try content(queue))
    }

    private func update(_ queue: DatabaseQueue, _ meter: inout Meter) throws -> Outcome {
        var movies = try queue.read { try Movie.limit(size.updates).fetchAll($0) }
        try meter.measure {
            try queue.write { database in
                for index in movies.indices {
                    movies[index].rating = UpdateWorkload.rating(index)
                    movies[index].version += 1
                    try movies[index].update(database, columns: ["ZRATING", "Z_OPT"])
                }
            }
        }
        return Outcome(units: movies.count, checksum: try content(queue))
    }

    private func delete(_ queue: DatabaseQueue, _ meter: inout Meter) throws -> Outcome {
        let movies = try queue.read { try Movie.fetchAll($0) }
        try meter.measure {
            try queue.write { database in
                for index in 0..<size.deletes { try movies[index * 5].delete(database) }
            }
        }
        return Outcome(units: size.deletes, checksum: try content(queue))
    }
}

/// What a join brings.
private struct MovieWithDirector<Movie: MovieRecord>: FetchableRecord {
    let movie: Movie
    let director: PersonRecord?

    init(row: Row) throws {
        movie = try Movie(row: row)
        director = row["director"]
    }
}

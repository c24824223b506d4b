import BenchmarkKit
import Foundation
import OpenCoreData

// MARK: - Predicates and kinds of results

extension LibraryContender {
    private static let queries = 5

    func fetchByAnyMember(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.openShelves(stores.shelves)
        defer { withExtendedLifetime(container) {} }
        var checksum = Checksum()
        try meter.measure {
            for _ in 0..<Self.queries {
                let request = NSFetchRequest<Shelf>(entityName: "Shelf")
                request.predicate = NSPredicate(
                    format: "ANY books.number BETWEEN {%ld, %ld}", MemberWorkload.numbers.lowerBound,
                    MemberWorkload.numbers.upperBound)
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                for shelf in try container.viewContext.fetch(request) { checksum.add(shelf.name) }
            }
        }
        return Outcome(units: Self.queries, checksum: checksum)
    }

    func prefetch(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        var checksum = Checksum()
        let count = try meter.measure {
            let request = NSFetchRequest<Movie>(entityName: "Movie")
            request.relationshipKeyPathsForPrefetching = ["director"]
            let movies = try container.viewContext.fetch(request)
            for movie in movies {
                movie.add(to: &checksum)
                if let director = movie.director { checksum.add(director.name) }
            }
            return movies.count
        }
        return Outcome(units: count, checksum: checksum)
    }

    func group(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        var checksum = Checksum()
        try meter.measure {
            for _ in 0..<Self.queries {
                let request = NSFetchRequest<NSDictionary>(entityName: "Movie")
                request.resultType = .dictionaryResultType
                request.propertiesToFetch = [
                    "year", Self.column("count", "count:", "title", .integer64AttributeType),
                    Self.column("average", "average:", "rating", .doubleAttributeType),
                ]
                request.propertiesToGroupBy = ["year"]
                request.sortDescriptors = [NSSortDescriptor(key: "year", ascending: true)]
                for row in try container.viewContext.fetch(request) {
                    checksum.add(row["year"] as? Int ?? -1)
                    checksum.add(row["count"] as? Int ?? -1)
                    checksum.add(row["average"] as? Double)
                }
            }
        }
        return Outcome(units: Self.queries, checksum: checksum)
    }

    /// The sum of all durations, by the store.
    func sumOfDurations(_ context: NSManagedObjectContext) throws -> Int {
        let request = NSFetchRequest<NSDictionary>(entityName: "Movie")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [Self.column("sum", "sum:", "duration", .integer64AttributeType)]
        return try context.fetch(request).first?["sum"] as? Int ?? 0
    }

    private static func column(_ name: String, _ function: String, _ key: String, _ type: NSAttributeType)
        -> NSExpressionDescription
    {
        let column = NSExpressionDescription()
        column.name = name
        column.expression = NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: key)])
        column.expressionResultType = type
        return column
    }

    func readPage(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        var checksum = Checksum()
        try meter.measure {
            for _ in 0..<Self.queries {
                let request = NSFetchRequest<Movie>(entityName: "Movie")
                request.fetchBatchSize = 20
                for movie in try container.viewContext.fetchBatched(request).prefix(20) { movie.add(to: &checksum) }
            }
        }
        return Outcome(units: Self.queries, checksum: checksum)
    }

    func parse(_ meter: inout Meter) throws -> Outcome {
        var checksum = Checksum()
        let count = 100_000
        try meter.measure {
            for number in 0..<count {
                let predicate = try NSPredicate(
                    validating: "title CONTAINS[cd] %@ AND (rating > 5 OR year BETWEEN {1950, %d}) AND director.name != nil",
                    "ab",
                    1960 + number % 50)
                checksum.add(predicate is NSCompoundPredicate)
            }
        }
        return Outcome(units: count, checksum: checksum)
    }

    func evaluate(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let movies = try allMovies(container.viewContext)
        // So that what is measured is evaluating, not loading.
        for movie in movies where movie.isFault { movie.willAccessValue(forKey: nil) }
        let predicate = NSPredicate(format: "rating > 5 AND year < 1990 AND title CONTAINS 'ab'")
        let passes = 10
        var found = 0
        meter.measure {
            for _ in 0..<passes {
                for movie in movies where predicate.evaluate(with: movie) { found += 1 }
            }
        }
        var checksum = Checksum()
        checksum.add(found)
        return Outcome(units: movies.count * passes, checksum: checksum)
    }
}

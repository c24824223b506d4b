import BenchmarkKit
import Foundation
import OpenCoreData

/// The work done with typed managed objects, as the library's users do it.
struct LibraryContender: Contender {
    let size: DatasetSize

    func run(_ workload: Workload, stores: PreparedStores, meter: inout Meter) throws -> Outcome {
        switch workload {
        case .insert: try insert(stores, &meter)
        case .fetch: try fetch(stores, &meter)
        case .registered: try fetchRegistered(stores, &meter)
        case .fault: try fault(stores, &meter)
        case .siblings: try siblings(stores, &meter)
        case .filter: try filter(stores, &meter)
        case .update: try update(stores, &meter)
        case .delete: try delete(stores, &meter)
        case .traverse: try traverse(stores, &meter)
        case .aggregate: try aggregate(stores, &meter)
        case .memory: try memory(stores)
        case .observers:
            try observers(stores, &meter) {
                $0.counts.updated
            } and: {
                $0.counts.updated
            }
        case .observerSets:
            try observers(stores, &meter) {
                $0.updated.count
            } and: {
                $0.updated.count
            }
        case .scalar: try readScalar(stores, &meter)
        case .string: try readString(stores, &meter)
        case .slotRead, .keyRead: try readScalar(stores, &meter)
        case .slotWrite, .keyWrite: try writeScalar(stores, &meter)
        case .managedRead: try readManaged(&meter)
        case .managedWrite: try writeManaged(&meter)
        case .anyMember: try fetchByAnyMember(stores, &meter)
        case .prefetch, .traverseByJoin: try prefetch(stores, &meter)
        case .groups: try group(stores, &meter)
        case .page: try readPage(stores, &meter)
        case .parse: try parse(&meter)
        case .evaluate: try evaluate(stores, &meter)
        case .faultBatches: try fireFaults(stores, &meter)
        case .inverses: try assignInverses(stores, &meter)
        case .memberInsert: try insertMembers(stores, &meter)
        case .changes: try postChanges(stores, &meter)
        case .undo: try undo(stores, &meter)
        case .childSave: try saveChild(stores, &meter)
        case .tracked: try readTracked(stores, &meter)
        case .oneObserver: try processChanges(toldTo: 1, &meter)
        case .hundredObservers: try processChanges(toldTo: 100, &meter)
        case .liveList: try followList(stores, &meter)
        case .merge: try mergeSave(stores, &meter)
        case .conflict: try saveOverNewerRows(stores, &meter)
        case .batchUpdate: try updateBatch(stores, &meter)
        case .batchInsert: try insertBatch(stores, &meter)
        case .manyAttributes: try fetchManyAttributes(stores, &meter)
        case .longTexts: try fetchLongTexts(stores, &meter)
        case .fewAttributes: try fetchFewAttributes(stores, &meter)
        case .upsert: try upsert(stores, &meter)
        case .manyToMany: try exchangeTags(stores, &meter)
        case .orderedInsert: try insertIntoOrder(stores, &meter)
        case .keyPaths: try walkKeyPaths(stores, &meter)
        case .readers: try readBesideWriter(stores, &meter)
        case .open: try openAndRead(stores, &meter)
        case .liveLists: try followLists(stores, &meter)
        case .tenMerges: try mergeTenfold(stores, &meter)
        case .oddSize: try fetchOddSize(stores, &meter)
        case .openEntities: try openManyEntities(stores, &meter)
        case .batches: try readInBatches(stores)
        }
    }

    /// Opens a store, or makes it. Whoever calls it keeps the container, so that the store is closed outside of what is measured.
    static func open(_ url: URL) throws -> NSPersistentContainer {
        let container = try NSPersistentContainer(name: "Benchmark", entities: Movie.self, Person.self)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        nonisolated(unsafe) var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        // What tracking costs is measured by itself.
        container.viewContext.tracksObservation = false
        return container
    }

    func allMovies(_ context: NSManagedObjectContext, limit: Int = 0) throws -> [Movie] {
        let request = NSFetchRequest<Movie>(entityName: "Movie")
        request.fetchLimit = limit
        return try context.fetch(request)
    }

    func allPeople(_ context: NSManagedObjectContext) throws -> [Person] {
        try context.fetch(NSFetchRequest<Person>(entityName: "Person"))
    }
}

// MARK: - Reading

extension LibraryContender {
    private func fetch(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        var checksum = Checksum()
        let count = try meter.measure {
            let movies = try allMovies(context)
            for movie in movies { movie.add(to: &checksum) }
            return movies.count
        }
        return Outcome(units: count, checksum: checksum)
    }

    private func fetchRegistered(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        var checksum = Checksum()
        let registered = try allMovies(context)
        for movie in registered { movie.add(to: &checksum) }
        let count = try meter.measure { try allMovies(context).count }
        withExtendedLifetime(registered) {}
        return Outcome(units: count, checksum: checksum)
    }

    private func fault(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        let ids = try movieIDs(context)
        var checksum = Checksum()
        try meter.measure {
            var movies: [Movie] = []
            for id in ids {
                guard let movie = try context.existingObject(with: id) as? Movie else { throw BenchmarkError("no movie \(id)") }
                movie.add(to: &checksum)
                movies.append(movie)
            }
        }
        return Outcome(units: ids.count, checksum: checksum)
    }

    private func movieIDs(_ context: NSManagedObjectContext) throws -> [NSManagedObjectID] {
        guard let coordinator = context.persistentStoreCoordinator, let store = coordinator.persistentStores.first,
            let identifier = store.identifier
        else { throw BenchmarkError("no store") }
        return try size.faultKeys.map { key in
            guard let url = URL(string: "x-coredata://\(identifier)/Movie/p\(key)"),
                let id = coordinator.managedObjectID(forURIRepresentation: url)
            else { throw BenchmarkError("no ID for \(key)") }
            return id
        }
    }

    private func siblings(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        let request = NSFetchRequest<Movie>(entityName: "Movie")
        request.includesPropertyValues = false
        request.fetchLimit = size.faults
        let movies = try context.fetch(request)
        var checksum = Checksum()
        meter.measure {
            for movie in movies { movie.add(to: &checksum) }
        }
        return Outcome(units: movies.count, checksum: checksum)
    }

    private func filter(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        var checksum = Checksum()
        let queries = 5
        try meter.measure {
            for _ in 0..<queries {
                let request = NSFetchRequest<Movie>(entityName: "Movie")
                request.predicate = NSPredicate(
                    format: "rating > %@ AND title CONTAINS %@", FilterWorkload.rating, FilterWorkload.text)
                request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
                request.fetchLimit = 100
                for movie in try context.fetch(request) { movie.add(to: &checksum) }
            }
        }
        return Outcome(units: queries, checksum: checksum)
    }

    private func traverse(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        var checksum = Checksum()
        let count = try meter.measure {
            let people = try allPeople(context)
            defer { withExtendedLifetime(people) {} }
            let movies = try allMovies(context)
            for movie in movies {
                movie.add(to: &checksum)
                if let director = movie.director { checksum.add(director.name) }
            }
            return movies.count
        }
        return Outcome(units: count, checksum: checksum)
    }

    private func aggregate(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        var checksum = Checksum()
        let queries = 5
        try meter.measure {
            for _ in 0..<queries {
                checksum.add(try context.count(for: NSFetchRequest<Movie>(entityName: "Movie")))
                checksum.add(try sumOfDurations(context))
            }
        }
        return Outcome(units: queries, checksum: checksum)
    }

    private func memory(_ stores: PreparedStores) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        // Once for the page cache, whose memory does not count.
        _ = try allMovies(context).count
        let before = Meter.allocatedBytes
        let movies = try allMovies(context)
        let bytes = Meter.allocatedBytes - before
        var checksum = Checksum()
        for movie in movies { movie.add(to: &checksum) }
        return Outcome(units: movies.count, checksum: checksum, bytes: bytes)
    }
}

// MARK: - Writing

extension LibraryContender {
    private func insert(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let movies = Dataset(size: size).movies
        do {
            let container = try Self.open(stores.people)
            defer { withExtendedLifetime(container) {} }
            let context = container.viewContext
            let people = try allPeople(context)
            try meter.measure {
                for values in movies { _ = Movie.make(values, director: values.director.map { people[$0] }, in: context) }
                try context.save()
            }
            withExtendedLifetime(people) {}
        }
        return Outcome(units: movies.count, checksum: try RawContender.contentChecksum(stores.people.path))
    }

    private func update(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        do {
            let container = try Self.open(stores.full)
            defer { withExtendedLifetime(container) {} }
            let context = container.viewContext
            let movies = try allMovies(context, limit: size.updates)
            try meter.measure {
                for (index, movie) in movies.enumerated() { movie.rating = UpdateWorkload.rating(index) }
                try context.save()
            }
            withExtendedLifetime(movies) {}
        }
        return Outcome(units: size.updates, checksum: try RawContender.contentChecksum(stores.full.path))
    }

    private func delete(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        do {
            let container = try Self.open(stores.full)
            defer { withExtendedLifetime(container) {} }
            let context = container.viewContext
            let movies = try allMovies(context)
            try meter.measure {
                for index in 0..<size.deletes { context.delete(movies[index * 5]) }
                try context.save()
            }
            withExtendedLifetime(movies) {}
        }
        return Outcome(units: size.deletes, checksum: try RawContender.contentChecksum(stores.full.path))
    }
}

// MARK: - Accessors and observers

extension LibraryContender {
    /// What ten observers add to the processing of as many changes as there are movies.
    private func observers(
        _ stores: PreparedStores, _ meter: inout Meter, _ countMovies: @escaping (ManagedObjectChanges<Movie>) -> Int,
        and countPeople: @escaping (ManagedObjectChanges<Person>) -> Int
    ) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        let people = try allPeople(context)
        let movies = try allMovies(context, limit: size.movies - people.count)
        func change(_ step: Int) {
            for movie in movies { movie.year = Int32(step) }
            for person in people { person.name = "\(step)" }
        }
        func observations(_ count: @escaping (Int) -> Void) -> [ManagedObjectObservation] {
            (0..<10).map { observer in
                observer % 2 == 0
                    ? context.observe(Movie.self) { count(countMovies($0)) }
                    : context.observe(Person.self) { count(countPeople($0)) }
            }
        }
        change(0)
        context.processPendingChanges()
        var checksum = Checksum()
        // The difference of two times is noisy, so both are taken several times in turn.
        let passes = 5
        for pass in 0..<passes {
            // Other values each time: what is set to the value it has is no change.
            change(2 * pass + 1)
            meter.measureNegative { context.processPendingChanges() }
            change(2 * pass + 2)
            let observations = observations { checksum.add($0) }
            meter.measure { context.processPendingChanges() }
            withExtendedLifetime(observations) {}
        }
        return Outcome(units: (movies.count + people.count) * passes, checksum: checksum)
    }
}

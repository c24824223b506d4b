import BenchmarkKit
import Foundation
import OpenCoreData

// MARK: - Rarer kinds of values and relationships

extension LibraryContender {
    static func openVariety(_ url: URL) throws -> NSPersistentContainer {
        let container = try NSPersistentContainer(
            name: "Variety", entities: Sheet.self, Letter.self, Item.self, Post.self, Tag.self, Playlist.self, Track.self)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        try container.loadPersistentStores()
        container.viewContext.tracksObservation = false
        return container
    }

    func fetchManyAttributes(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.openVariety(stores.variety)
        defer { withExtendedLifetime(container) {} }
        var checksum = Checksum()
        let count = try meter.measure {
            let sheets = try container.viewContext.fetch(NSFetchRequest<Sheet>(entityName: "Sheet"))
            for sheet in sheets { sheet.add(to: &checksum) }
            return sheets.count
        }
        return Outcome(units: count, checksum: checksum)
    }

    func fetchLongTexts(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.openVariety(stores.variety)
        defer { withExtendedLifetime(container) {} }
        var checksum = Checksum()
        let count = try meter.measure {
            let letters = try container.viewContext.fetch(NSFetchRequest<Letter>(entityName: "Letter"))
            for letter in letters {
                checksum.add(letter.number)
                checksum.add(letter.text)
            }
            return letters.count
        }
        return Outcome(units: count, checksum: checksum)
    }

    func fetchFewAttributes(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        var checksum = Checksum()
        let count = try meter.measure {
            let rows = try container.viewContext.values(\.title, \.year, of: Movie.self)
            for (title, year) in rows {
                checksum.add(title)
                checksum.add(year)
            }
            return rows.count
        }
        return Outcome(units: count, checksum: checksum)
    }

    func upsert(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let count = VarietyData(size: size).items * 2
        do {
            let container = try Self.openVariety(stores.variety)
            defer { withExtendedLifetime(container) {} }
            let context = container.viewContext
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try meter.measure {
                for code in 0..<count { _ = Item(context: context, code: Int64(code), title: "New", count: 1) }
                try context.save()
            }
        }
        return Outcome(units: count, checksum: try RawContender.itemChecksum(stores.variety.path))
    }

    func exchangeTags(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let count: Int
        do {
            let container = try Self.openVariety(stores.variety)
            defer { withExtendedLifetime(container) {} }
            let context = container.viewContext
            let tags = try context.fetch(NSFetchRequest<Tag>(entityName: "Tag")).sorted { $0.number < $1.number }
            let posts = try context.fetch(NSFetchRequest<Post>(entityName: "Post"))
            count = posts.count
            try meter.measure {
                for post in posts {
                    let number = Int(post.number)
                    post.tags.remove(tags[number % tags.count])
                    post.tags.insert(tags[(number + 2) % tags.count])
                }
                try context.save()
            }
        }
        return Outcome(units: count, checksum: try RawContender.tagChecksum(stores.variety.path))
    }

    func insertIntoOrder(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        do {
            let container = try Self.openVariety(stores.variety)
            defer { withExtendedLifetime(container) {} }
            let context = container.viewContext
            guard let playlist = try context.fetch(NSFetchRequest<Playlist>(entityName: "Playlist")).first else {
                throw BenchmarkError("no playlist")
            }
            let middle = playlist.tracks.count / 2
            try meter.measure {
                for number in 0..<VarietyData.orderedInsertions {
                    playlist.tracks.insert(Track(context: context, number: Int64(-number)), at: middle)
                    try context.save()
                }
            }
        }
        return Outcome(units: VarietyData.orderedInsertions, checksum: try RawContender.orderChecksum(stores.variety.path))
    }
}

// MARK: - Many at once

extension LibraryContender {
    func walkKeyPaths(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let people = try allPeople(container.viewContext)
        let movies = try allMovies(container.viewContext)
        for person in people { _ = person.name }
        for movie in movies { _ = movie.year }
        let passes = 5
        var checksum = Checksum()
        meter.measure {
            for _ in 0..<passes {
                for movie in movies {
                    if let name = movie[keyPath: \.director?.name] { checksum.add(name) }
                }
            }
        }
        return Outcome(units: movies.count * passes, checksum: checksum)
    }

    func readBesideWriter(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let checksum: Checksum
        do {
            let container = try Self.open(stores.full)
            defer { withExtendedLifetime(container) {} }
            let context = container.viewContext
            let movies = try allMovies(context, limit: size.updates)
            for (index, movie) in movies.enumerated() { movie.rating = UpdateWorkload.rating(index) }
            checksum = try meter.measure {
                try ConcurrentReaders.run {
                    try context.save()
                } reader: {
                    let reader = container.newBackgroundContext()
                    return try reader.performAndWait {
                        var checksum = Checksum()
                        for movie in try reader.fetch(NSFetchRequest<Movie>(entityName: "Movie")) { checksum.add(movie.title) }
                        return checksum
                    }
                }
            }
        }
        return Outcome(units: ConcurrentReaders.count, checksum: checksum)
    }

    func openAndRead(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        var checksum = Checksum()
        let times = 5
        for _ in 0..<times {
            let container = try meter.measure {
                let container = try Self.open(stores.full)
                guard let movie = try allMovies(container.viewContext, limit: 1).first else { throw BenchmarkError("no movie") }
                movie.add(to: &checksum)
                return container
            }
            withExtendedLifetime(container) {}
        }
        return Outcome(units: times, checksum: checksum)
    }

    func followLists(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        let movies = try allMovies(context)
        let moves = MoveCounter()
        let lists = try (0..<ListWorkload.lists).map { list in
            let request = NSFetchRequest<Movie>(entityName: "Movie")
            request.predicate = NSPredicate(format: "year == %d", ListWorkload.firstYear + list)
            request.sortDescriptors = [NSSortDescriptor(key: "duration", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            controller.delegate = moves
            try controller.performFetch()
            return controller
        }
        meter.measure {
            for movie in movies.prefix(ListWorkload.changes) {
                movie.year = Int32(ListWorkload.newYear(Int(movie.year)))
            }
            context.processPendingChanges()
        }
        withExtendedLifetime(moves) {}
        var checksum = Checksum()
        for (index, list) in lists.enumerated() { checksum.add((list.fetchedObjects?.count ?? 0) * (index + 1)) }
        return Outcome(units: min(movies.count, ListWorkload.changes), checksum: checksum)
    }

    func mergeTenfold(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let rival = Self.rival(of: container.viewContext)
        let contexts = (0..<MergeWorkload.contexts).map { _ in Self.rival(of: container.viewContext) }
        let known = try contexts.map { try allMovies($0, limit: size.merged) }
        nonisolated(unsafe) var notice: Notification?
        let observer = NotificationCenter.default.addObserver(
            forName: NSManagedObjectContext.didSaveObjectsNotification, object: rival, queue: nil
        ) { notice = $0 }
        defer { NotificationCenter.default.removeObserver(observer) }
        let movies = try allMovies(rival, limit: size.merged)
        for (index, movie) in movies.enumerated() { movie.rating = UpdateWorkload.rating(index) }
        try rival.save()
        guard let notice else { throw BenchmarkError("nobody told of the save") }
        var checksum = Checksum()
        meter.measure {
            for (context, movies) in zip(contexts, known) {
                context.mergeChanges(fromContextDidSave: notice)
                for movie in movies { checksum.add(movie.rating) }
            }
        }
        return Outcome(units: movies.count * contexts.count, checksum: checksum)
    }

    func fetchOddSize(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        var checksum = Checksum()
        let count = try meter.measure {
            let movies = try allMovies(container.viewContext, limit: size.odd)
            for movie in movies { movie.add(to: &checksum) }
            return movies.count
        }
        return Outcome(units: count, checksum: checksum)
    }
}

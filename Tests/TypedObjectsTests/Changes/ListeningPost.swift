import Foundation
import OpenCoreData
import TestSupport

/// An object's values and what it is related to, as text by the names in the model.
protocol Readable: NSManagedObject {
    func reading(_ name: (NSManagedObject) -> String) -> [String: String]
}

extension Director: Readable {
    func reading(_ name: (NSManagedObject) -> String) -> [String: String] {
        ["name": self.name, "movies": movies.map(name).sorted().joined(separator: ",")]
    }
}

extension Movie: Readable {
    func reading(_ name: (NSManagedObject) -> String) -> [String: String] {
        [
            "imdbID": imdbID, "title": title, "userRating": "\(userRating ?? -1)", "length": "\(duration)",
            "genre": genre.rawValue,
            "director": value(ifSet: \.director).map(name) ?? "–", "scenes": scenes.map(name).joined(separator: ","),
        ]
    }
}

extension Scene: Readable {
    func reading(_ name: (NSManagedObject) -> String) -> [String: String] {
        ["text": text, "movie": movie.map(name) ?? "–"]
    }
}

/// A context in which everything is observed, with a copy of its objects that is changed by nothing but what observers are told.
final class ListeningPost: @unchecked Sendable {
    // Unchecked: used by one thread at a time, on the context's queue or while nobody is there.
    typealias Values = [String: String]

    let context: NSManagedObjectContext
    let name: String
    private(set) var problems: [String] = []
    private var mirror: [ObjectIdentifier: Values] = [:]
    /// Held, so that the context knows them, and their identity stays their own.
    private var held: [ObjectIdentifier: NSManagedObject] = [:]
    private var observations: [Any] = []
    var expected: (origin: String, author: String?) = ("local", nil)
    /// Whether a reaction has left changes that the next round may tell of.
    var mayBeLocal = false
    var reacts = false
    var reaction: () throws -> Void = {}
    private var results: ResultsWatch?

    init(_ context: NSManagedObjectContext, _ name: String) {
        self.context = context
        self.name = name
    }

    func run<T>(_ body: (NSManagedObjectContext) throws -> T) throws -> T {
        // The program waits meanwhile.
        nonisolated(unsafe) let body = body
        return try context.performAndWait { try body(context) }
    }

    func expect(_ origin: String, _ author: String?) { expected = (origin, author) }

    func start() throws {
        observe(Director.self)
        observe(Movie.self)
        observe(Scene.self)
        let results = try ResultsWatch(context)
        self.results = results
        observations.append(
            context.observe(Movie.self) { [unowned self] _ in
                results.end()
                do { try reaction() } catch { problems.append("\(name): a reaction failed: \(error)") }
            })
        mirror = try reading()
    }

    // MARK: Reading

    static func label(_ object: NSManagedObject) -> String { "\(UInt(bitPattern: ObjectIdentifier(object)))" }

    private func all<Object: Readable>(_ type: Object.Type) throws -> [Object] {
        try context.fetch(NSFetchRequest<Object>(entityName: "\(type)"))
    }

    /// Everything there is.
    private func reading() throws -> [ObjectIdentifier: Values] {
        var result: [ObjectIdentifier: Values] = [:]
        func read<Object: Readable>(_ type: Object.Type) throws {
            for object in try all(type) {
                held[ObjectIdentifier(object)] = object
                result[ObjectIdentifier(object)] = object.reading(Self.label)
            }
        }
        try read(Director.self)
        try read(Movie.self)
        try read(Scene.self)
        return result
    }

    /// What there is, in an order that every run has.
    var alive: [NSManagedObject] {
        let objects = held.values.filter { $0.managedObjectContext === context && !$0.isDeleted }
        return objects.sorted {
            $0.objectID.uriRepresentation().lastPathComponent < $1.objectID.uriRepresentation().lastPathComponent
        }
    }

    /// Compares what observers were told, all in all, with what there is.
    func compare() throws {
        context.processPendingChanges()
        mayBeLocal = false
        let now = try reading()
        for (id, values) in now where mirror[id] != values {
            problem("\(text(id)) is \(values), by what was told \(mirror[id].map { "\($0)" } ?? "nothing")")
        }
        for id in mirror.keys where now[id] == nil { problem("\(text(id)) is gone, and nobody was told") }
        problems += results?.problems(name) ?? []
    }

    private func problem(_ text: String) { problems.append("context \(name): \(text)") }
    private func text(_ id: ObjectIdentifier) -> String { held[id].map { "\(type(of: $0)) \(Self.label($0))" } ?? "?" }

    // MARK: Listening

    private func observe<Object: Readable>(_ type: Object.Type) {
        observations.append(context.observe(type) { [unowned self] in take($0) })
        observations.append(
            context.changes(of: type).kinds([.all, .refreshed]).observe { [unowned self] changes in
                for change in changes where change.object.isFault { problem("\(change.object) is a fault") }
            })
    }

    /// Whether one program is replayed, so that it is worth writing down what is told.
    static let isReplaying = ProcessInfo.processInfo.environment["OPENCOREDATA_SEED"] != nil

    private func take<Object: Readable>(_ changes: ManagedObjectChanges<Object>) {
        if Self.isReplaying {
            for change in changes {
                print(
                    "context \(name), \(changes.origin): \(change.kind) \(text(ObjectIdentifier(change.object))) \(change.changedKeys.sorted())"
                )
            }
        }
        let source = (origin: "\(changes.origin)", author: changes.author)
        let isExpected = source == expected || mayBeLocal && source == ("local", context.transactionAuthor)
        if !isExpected { problem("\(source) in place of \(expected): \(changes.counts)") }
        if Object.self == Movie.self, let results { results.begin(Set(changes.updated.compactMap { $0 as? Movie })) }
        var rank = 0
        for change in changes {
            let (object, id) = (change.object, ObjectIdentifier(change.object))
            held[id] = object
            guard let next = [.deleted, .inserted, .updated].firstIndex(of: change.kind), next >= rank else {
                problem("\(change.kind) is in the wrong place")
                continue
            }
            rank = next
            switch change.kind {
            case .deleted: takeDeleted(id, change.old(\.self))
            case .inserted:
                if mirror[id] != nil { problem("\(text(id)) is told as new once more") }
                mirror[id] = object.reading(Self.label)
            default: takeUpdated(id, change)
            }
        }
    }

    private func takeDeleted(_ id: ObjectIdentifier, _ last: (some Readable)?) {
        guard let known = mirror.removeValue(forKey: id) else {
            return problem("\(text(id)) is told as deleted, and was not there")
        }
        guard let last else { return problem("the deleted \(text(id)) has no last values") }
        // What it was related to may have let go of it already.
        let attributes = last.entity.attributesByName.keys
        let values = Self.attributes(of: last)
        for name in attributes where known[name] != nil && known[name] != values[name] {
            problem("the last \(name) of the deleted \(text(id)) is \(values[name] ?? "–"), not \(known[name] ?? "–")")
        }
    }

    private static func attributes(of object: NSManagedObject) -> Values {
        switch object {
        case let director as Director: ["name": director.name]
        case let movie as Movie:
            [
                "imdbID": movie.imdbID, "title": movie.title, "userRating": "\(movie.userRating ?? -1)",
                "length": "\(movie.duration)",
                "genre": movie.genre.rawValue,
            ]
        case let scene as Scene: ["text": scene.text]
        default: [:]
        }
    }

    private func takeUpdated<Object: Readable>(_ id: ObjectIdentifier, _ change: ManagedObjectChange<Object>) {
        guard let known = mirror[id] else { return problem("\(text(id)) is told as changed, and was not there") }
        let now = change.object.reading(Self.label)
        mirror[id] = now
        guard let before = change.old(\.self)?.reading(Self.label) else { return problem("\(text(id)) has no earlier values") }
        if before != known { problem("\(text(id)) was \(known), not \(before)") }
        let different = Set(now.keys.filter { now[$0] != before[$0] })
        if different != change.changedKeys { problem("\(text(id)): \(change.changedKeys) are told, \(different) changed") }
        if different.isEmpty { problem("\(text(id)) did not change") }
    }
}

/// A live query and a controller, whose changes are compared with those of the objects.
private final class ResultsWatch {
    private let results: FetchedResults<Movie>
    private let controller: NSFetchedResultsController<Movie>
    private let delegate = StepDelegate()
    private var observation: ManagedObjectObservation?
    private var updated: Set<ObjectIdentifier> = []
    private var told: Set<NSManagedObjectID>?
    private var members: [Movie] = []
    private var found: [String] = []

    private static var request: NSFetchRequest<Movie> {
        let request = NSFetchRequest<Movie>(entityName: "Movie")
        request.predicate = NSPredicate(format: "length >= 30")
        request.sortDescriptors = ["title", "imdbID"].map { NSSortDescriptor(key: $0, ascending: true) }
        return request
    }

    init(_ context: NSManagedObjectContext) throws {
        results = try FetchedResults(Self.request, in: context)
        controller = NSFetchedResultsController(
            fetchRequest: Self.request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        controller.delegate = delegate
        try controller.performFetch()
        members = Array(results)
        observation = results.observe { [unowned self] in told = (told ?? []).union($0.updatedIDs) }
    }

    /// A round begins, before the live query hears of it.
    func begin(_ movies: Set<Movie>) {
        updated = Set(movies.map(ObjectIdentifier.init))
        told = nil
        delegate.steps = []
    }

    /// The round is told.
    func end() {
        let now = Array(results)
        let (old, new) = (Set(members.map(ObjectIdentifier.init)), Set(now.map(ObjectIdentifier.init)))
        let stayed = Set(
            now.filter { old.contains(ObjectIdentifier($0)) && updated.contains(ObjectIdentifier($0)) }.map(\.objectID))
        if (told ?? []) != stayed { found.append("the results tell of \(told?.count ?? 0) updates, not of \(stayed.count)") }
        let steps = delegate.steps
        func objects(_ types: NSFetchedResultsChangeType...) -> Set<ObjectIdentifier> {
            Set(steps.filter { types.contains($0.type) }.map { ObjectIdentifier($0.object) })
        }
        if objects(.insert) != new.subtracting(old) || objects(.delete) != old.subtracting(new) {
            found.append("the controller tells of other insertions and deletions")
        }
        let changed = Set(now.filter { stayed.contains($0.objectID) }.map(ObjectIdentifier.init))
        if objects(.update, .move) != changed {
            found.append("the controller tells of \(objects(.update, .move).count) updates, not of \(changed.count)")
        }
        for step in steps where step.type == .insert && step.object.isFault { found.append("an inserted object is a fault") }
        members = now
    }

    func problems(_ name: String) -> [String] {
        let fetched = (try? results.managedObjectContext.fetch(Self.request)) ?? []
        if fetched != Array(results) || fetched != controller.fetchedObjects {
            found.append("the results are not those of a fetch")
        }
        return found.map { "context \(name): \($0)" }
    }
}

private final class StepDelegate: NSObject, NSFetchedResultsControllerDelegate {
    var steps: [(type: NSFetchedResultsChangeType, object: NSManagedObject)] = []

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        if let object = anObject as? NSManagedObject { steps.append((type, object)) }
    }
}

/// Compares what observers of saves are told with what is stored before and after.
final class SaveWatch: @unchecked Sendable {
    // Unchecked: used by one thread at a time, that of the context that saves.
    private typealias Values = [String: String]

    private struct Difference: Equatable {
        var inserted: Set<String> = []
        var updated: [String: Set<String>] = [:]
        var deleted: Set<String> = []
    }

    private let container: NSPersistentContainer
    private var stored: [String: Values] = [:]
    private var difference = Difference()
    /// What the container's observers are told, and those of the context.
    private var told = Difference()
    private var toldHere = Difference()
    private var isOpen = false
    private var found: [String] = []
    private var observations: [Any] = []
    private var expectedAuthor: String?

    init(_ container: NSPersistentContainer) throws { self.container = container }

    func start(_ posts: [ListeningPost]) throws {
        stored = try reading()
        observe(Director.self, posts)
        observe(Movie.self, posts)
        observe(Scene.self, posts)
    }

    private func observe<Object: Readable>(_ type: Object.Type, _ posts: [ListeningPost]) {
        observations.append(
            container.changes(of: type).observe { [unowned self] ids in
                if ids.author != expectedAuthor { found.append("saved by \(ids.author ?? "–"), not \(expectedAuthor ?? "–")") }
                told.inserted.formUnion(ids.inserted.map(\.objectID).map(Self.text))
                told.deleted.formUnion(ids.deleted.map(\.objectID).map(Self.text))
                for id in ids.updated { told.updated[Self.text(id.objectID)] = [] }
            })
        for post in posts {
            observations.append(
                post.context.changes(of: type).saved().observe { [unowned self] changes in
                    if "\(changes.origin)" != "local" || changes.author != expectedAuthor { found.append("a save by others") }
                    for change in changes {
                        let id = Self.text(change.object.objectID)
                        switch change.kind {
                        case .inserted: toldHere.inserted.insert(id)
                        case .deleted: toldHere.deleted.insert(id)
                        default: toldHere.updated[id] = change.changedKeys
                        }
                    }
                })
        }
    }

    private static func text(_ id: NSManagedObjectID) -> String { id.uriRepresentation().path }

    private func reading() throws -> [String: Values] {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            var result: [String: Values] = [:]
            func read<Object: Readable>(_ type: Object.Type) throws {
                for object in try context.fetch(NSFetchRequest<Object>(entityName: "\(type)")) {
                    result[Self.text(object.objectID)] = object.reading { Self.text($0.objectID) }
                }
            }
            try read(Director.self)
            try read(Movie.self)
            try read(Scene.self)
            return result
        }
    }

    /// A save is written, and nobody else has heard of it.
    func begin(of post: ListeningPost) {
        end()
        isOpen = true
        expectedAuthor = post.context.transactionAuthor
        do {
            let now = try reading()
            difference.inserted = Set(now.keys).subtracting(stored.keys)
            difference.deleted = Set(stored.keys).subtracting(now.keys)
            for (id, values) in now {
                guard let old = stored[id], old != values else { continue }
                difference.updated[id] = Set(values.keys.filter { old[$0] != values[$0] })
            }
            stored = now
        } catch { found.append("\(error)") }
    }

    private func end() {
        guard isOpen else { return }
        if toldHere != difference { found.append("the context's observers of saves: \(toldHere), not \(difference)") }
        difference.updated = difference.updated.mapValues { _ in [] }
        if told != difference { found.append("the container's observers of saves: \(told), not \(difference)") }
        (isOpen, difference, told, toldHere) = (false, Difference(), Difference(), Difference())
    }

    func problems() -> [String] {
        end()
        return found
    }
}

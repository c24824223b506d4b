import Foundation
import Observation
import OpenCoreData

// The code of ObservingChanges.md: a test compares the two.

enum ObservingExamples {
    @Entity final class Director: NSManagedObject {
        var name: String
        @Relationship(inverse: \Film.director) var films: Set<Film>
    }

    @Entity final class Film: NSManagedObject {
        var title: String
        var year: Int
        var rating: Double?
        var director: Director?
    }

    @ManagedActor actor Importer {
        func add(_ titles: [String]) throws -> [ManagedObjectID<Film>] {
            let films = titles.map { Film(context: context, title: $0, year: 2026) }
            try context.save()
            return films.map(\.typedID)
        }
    }

    /// Everything that observes; the tokens keep it going.
    static func observe(
        _ ran: Film, _ kurosawa: Director, in container: NSPersistentContainer, _ context: NSManagedObjectContext,
        log: @escaping @Sendable (String) -> Void
    ) -> [ManagedObjectObservation] {
        let observation = context.observe(Film.self) { changes in
            for film in changes.deleted { log("gone: \(film.title)") }
            for film in changes.inserted { log("new: \(film.title)") }
            for film in changes.updated { log("changed: \(film.title)") }
        }
        let titles = context.observe(Film.self, changing: \.title, \.year) { changes in
            for change in changes where change.kind == .updated {
                log("\(change.old(\.title) ?? "–") → \(change.new(\.title) ?? "–"), changed: \(change.changedKeys.sorted())")
            }
        }
        let names = context.changes(of: Film.self).changing(Film.keys.director.name).observe {
            log("directors of \($0.count(.updated)) films")
        }
        let casts = context.observe(kurosawa, changing: \.films[each: \.title]) { log("a film of \($0.object.name)") }
        let old = context.changes(of: Film.self).where(#Predicate { $0.year < 1960 }).observe { changes in
            log("old films: +\(changes.entered.count) -\(changes.left.count)")
        }
        let rated = context.changes(of: Film.self).where(\.rating > 8).observe { log("\($0.entered.count) good films more") }
        let one = context.observe(ran, changing: \.title) { change in
            log("\(change.kind): \(change.old(\.title) ?? "") → \(change.object.title)")
        }
        let saved = context.changes(of: Film.self).saved().observe { changes in
            log("saved: \(changes.inserted.count) new, \(changes.updated.count) changed, \(changes.deleted.count) gone")
        }
        let everywhere = container.changes(of: Film.self).observe { ids in
            log("\(ids.author ?? "somebody") saved \(ids.inserted.count) new films")
        }
        return [observation, titles, names, casts, old, rated, one, saved, everywhere]
    }

    static func readNotifications(of context: NSManagedObjectContext, log: @escaping @Sendable (String) -> Void)
        -> any NSObjectProtocol
    {
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) {
            $0.deletedManagedObjects().forEach { (film: Film) in log("gone: \(film.title)") }
            $0.insertedManagedObjects().forEach { (film: Film) in log("new: \(film.title)") }
            $0.updatedManagedObjects().forEach { (film: Film) in log("changed: \(film.title)") }
        }
        return token
    }

    static func resolve(_ ids: ManagedObjectChangeIDs<Film>, in context: NSManagedObjectContext) throws -> [Film] {
        let films = try ids.inserted.objects(in: context)
        return films
    }

    static func wait(in context: NSManagedObjectContext, log: @escaping (String) -> Void) async {
        for await changes in context.changes(of: Film.self).inserted().where(#Predicate { $0.year > 1980 }) {
            let titles = await context.perform { changes.inserted.map(\.title) }
            log("new: \(titles)")
        }
    }

    static func read(_ context: NSManagedObjectContext, log: @escaping @Sendable (String) -> Void) -> Task<Void, Never> {
        let films = context.changes(of: Film.self).stream(bufferingPolicy: .bufferingNewest(10))
        let reader = Task { for await round in films { log("a round of \(round.ids.inserted.count)") } }
        return reader
    }

    static func track(_ ran: Film, show: (String) -> Void, needsDisplay: @escaping @Sendable () -> Void) {
        withObservationTracking {
            show(ran.title)
        } onChange: {
            needsDisplay()
        }
    }

    static func follow(in context: NSManagedObjectContext, log: @escaping (String) -> Void) throws -> ManagedObjectObservation {
        let live = try FetchedResults(
            Film.self, where: #Predicate { $0.year < 1960 }, sortedBy: [Film.keys.title.ascending], in: context)
        let changes = live.observe { difference in
            log("\(difference.objectIDs.insertions.count) films more, \(live.count) in all")
        }
        return changes
    }
}

import Foundation
import OpenCoreData

// The code of Importing.md: a test compares the two.

enum ImportingExamples {
    @Entity final class Studio: NSManagedObject {
        @Attribute(.unique) var name: String
        var country: String?
        @Relationship(deleteRule: .cascade, inverse: \Film.studio) var films: Set<Film>
    }

    @Entity final class Film: NSManagedObject {
        @Attribute(.unique) var imdbID: String
        var title: String
        var year: Int?
        var rating: Double?
        var isSeen: Bool = false
        var studio: Studio?
    }

    /// A film as the service sends it.
    struct FilmRecord: Codable, Sendable {
        var id: String
        var title: String
        var year: Int?
        var studio: String?
    }

    @Entity final class Screening: NSManagedObject {
        #Unique<Screening>([\.hall, \.begin])
        var hall: Int
        var begin: Date
        var film: Film
    }

    static func upsertRan(in context: NSManagedObjectContext) throws -> Film? {
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        _ = Film(context: context, imdbID: "tt0089881", title: "Ran", year: 1985)
        try context.save()
        return try context.fetch(Film.self, where: \.imdbID == "tt0089881").first
    }

    static func importFilms(_ records: [FilmRecord], into container: NSPersistentContainer) async throws {
        try await container.performBackgroundTask { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            for start in stride(from: 0, to: records.count, by: 1000) {
                let piece = records[start..<min(start + 1000, records.count)]
                var studios = try studios(named: Set(piece.compactMap(\.studio)), in: context)
                for record in piece {
                    let film = Film(context: context, imdbID: record.id, title: record.title, year: record.year)
                    if let name = record.studio {
                        let studio = studios[name] ?? Studio(context: context, name: name)
                        studios[name] = studio
                        film.studio = studio
                    }
                }
                try context.save()
                context.reset()
            }
        }
    }

    /// The studios that the store has already, with one fetch for all names.
    static func studios(named names: Set<String>, in context: NSManagedObjectContext) throws -> [String: Studio] {
        let known = try context.fetch(Studio.self, where: Studio.keys.name.isIn(names))
        return Dictionary(uniqueKeysWithValues: known.map { ($0.name, $0) })
    }

    static func addFilms(_ records: [FilmRecord], to container: NSPersistentContainer) async throws -> [ManagedObjectID<Film>] {
        try await container.performBackgroundTask { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            return try context.batchInsert(Film.self, from: records, mergingInto: [container.viewContext]) { film, record in
                film.imdbID = record.id
                film.title = record.title
                film.year = record.year
            }
        }
    }

    static func importLines(of text: String, into context: NSManagedObjectContext) throws -> Int {
        let lines = text.split(separator: "\n").lazy
        let films = try context.batchInsert(Film.self, from: lines) { film, line in
            let fields = line.split(separator: ";", omittingEmptySubsequences: false)
            guard fields.count == 3 else { throw CocoaError(.formatting) }
            film.imdbID = String(fields[0])
            film.title = String(fields[1])
            film.year = Int(fields[2])
        }
        return films.count
    }

    static func tidyUp(_ context: NSManagedObjectContext) throws {
        try context.batchUpdate(Film.self, where: Film.keys.rating < 0, set: .init(\.rating, to: nil))
        try context.batchDelete(Film.self, where: #Predicate { $0.title == "" })
    }

    static func insertTitles(
        _ records: [FilmRecord], in context: NSManagedObjectContext, showingIn viewContext: NSManagedObjectContext
    ) throws {
        let rows = records.map { ["imdbID": $0.id, "title": $0.title] }
        let request = NSBatchInsertRequest(entityName: "Film", objects: rows)
        request.resultType = .objectIDs
        let result = try context.execute(request) as? NSBatchInsertResult
        let ids = result?.result as? [NSManagedObjectID] ?? []
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSInsertedObjectsKey: ids], into: [viewContext])
    }

    static func averageLengthOfTitles(in context: NSManagedObjectContext) throws -> Double {
        let request = NSFetchRequest<Film>(entityName: "Film")
        request.fetchBatchSize = 500
        let films = try context.fetchBatched(request)
        var letters = 0
        for film in films { letters += film.title.count }
        return films.isEmpty ? 0 : Double(letters) / Double(films.count)
    }
}

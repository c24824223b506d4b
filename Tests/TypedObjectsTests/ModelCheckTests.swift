import Foundation
import OpenCoreData
import TestSupport
import Testing

@Entity("Movie") final class LaxMovie: NSManagedObject {
    var userRating: Double
    var title: String?
    var ageLimit: AgeLimit
}

@Entity(isAbstract: true, originalName: "Thing", hashModifier: "2", userInfo: ["a": "b"]) class Base: NSManagedObject {
    #Index<Base>([\.code, \.owner])
    var code: String = ""
    @Relationship(originalName: "boss", hashModifier: "r", userInfo: ["c": "d"]) var owner: Owner?
}

@Entity final class Leaf: Base {
    #Unique<Leaf>([\.code, \.number], [\.number])
    @Attribute(
        .originalName("n"), .hashModifier("3"), .userInfo(["k": "v"]), .range(1...10), .indexed,
        .preservesValueInHistoryOnDeletion,
        .allowsCloudEncryption)
    var number: Int32?
    @Attribute(.length(2...5), .pattern("[a-z]+")) var text: String?
    @Attribute(.range(Date(timeIntervalSinceReferenceDate: 0)...)) var date: Date?
    @Attribute(.range(...0.5)) var ratio: Double?
    @Attribute(.externalStorage) var data: Data?
}

@Entity final class Owner: NSManagedObject {
    @Relationship(inverse: "owner", isOptional: false) var things: Set<Base>
}

@Entity final class WrongOptions: NSManagedObject {
    #Unique<WrongOptions>([\.many])
    @Attribute(.range(1...2)) var text: String?
    @Attribute(.length(1...2)) var number: Int?
    @Attribute(.pattern("a)(b")) var pattern: String?
    @Attribute(.externalStorage) var big: String?
    @Relationship(inverse: nil, maxCount: 1) var many: Set<WrongOptions>
}

@Entity final class Artist: NSManagedObject {
    var name: String = ""
    @Relationship(inverse: \Record.artists) var records: Set<Record>
}

@Entity final class Record: NSManagedObject {
    @Relationship(inverse: "records") var artists: Set<Artist>
    var tracks: [Track]
}

@Entity final class Track: NSManagedObject {
    @Relationship(inverse: \Record.tracks) var record: Record?
}

@Suite("Everything a model can say is said by the classes, and checked")
struct ModelCheckTests {
    private static func model() throws -> NSManagedObjectModel { try NSManagedObjectModel(Leaf.self, Owner.self) }

    @Test("entity: abstract, original name, hash modifier, user info, indexes, uniqueness over several properties")
    func entity() throws {
        let model = try Self.model()
        let base = try #require(model.entitiesByName["Base"])
        #expect(base.isAbstract && base.renamingIdentifier == "Thing" && base.versionHashModifier == "2")
        #expect(base.userInfo as? [String: String] == ["a": "b"])
        #expect(base.indexes.map { $0.elements.map(\.propertyName) } == [["code", "owner"]])
        let leaf = try #require(model.entitiesByName["Leaf"])
        #expect(!leaf.isAbstract && leaf.superentity === base)
        #expect(leaf.uniquenessConstraints as? [[String]] == [["code", "number"], ["number"]])
    }

    @Test("attributes and relationships: original name, hash modifier, user info, index, history, limits, external storage")
    func properties() throws {
        let model = try Self.model()
        let leaf = try #require(model.entitiesByName["Leaf"])
        let number = try #require(leaf.attributesByName["number"])
        #expect(number.renamingIdentifier == "n" && number.versionHashModifier == "3" && number.isIndexed)
        #expect(number.userInfo as? [String: String] == ["k": "v"])
        #expect(number.preservesValueInHistoryOnDeletion && number.allowsCloudEncryption)
        #expect(number.validationPredicates.map { "\($0)" }.count == 2)
        #expect(leaf.attributesByName["data"]?.allowsExternalBinaryDataStorage == true)
        let owner = try #require(leaf.relationshipsByName["owner"])
        #expect(owner.renamingIdentifier == "boss" && owner.versionHashModifier == "r")
        #expect(owner.userInfo as? [String: String] == ["c": "d"])
        #expect(owner.inverseRelationship?.name == "things" && owner.inverseRelationship?.isOptional == false)
    }

    @Test("limits that a class says stop a save, with Core Data's codes")
    func limits() throws {
        try TestStore(NSPersistentContainer(name: "x", managedObjectModel: Self.model(), entities: [])).run {
            (context: NSManagedObjectContext) throws in
            func codes(_ change: (Leaf) -> Void) -> [Int] {
                let leaf = Leaf.makeInstance(in: context)
                change(leaf)
                defer { context.delete(leaf) }
                do {
                    try leaf.validateForInsert()
                    return []
                } catch {
                    return error.validationFailures(of: Leaf.self).map(\.code.rawValue)
                }
            }
            #expect(codes { $0.number = 5 } == [])
            #expect(codes { $0.number = 0 } == [NSValidationNumberTooSmallError])
            #expect(codes { $0.number = 11 } == [NSValidationNumberTooLargeError])
            #expect(codes { $0.ratio = 0.6 } == [NSValidationNumberTooLargeError])
            #expect(codes { $0.text = "a" } == [NSValidationStringTooShortError])
            #expect(codes { $0.text = "abcdef" } == [NSValidationStringTooLongError])
            #expect(codes { $0.text = "a1" } == [NSValidationStringPatternMatchingError])
            #expect(codes { $0.date = Date(timeIntervalSinceReferenceDate: -1) } == [NSValidationDateTooSoonError])
        }
    }

    @Test("options that don't fit the type are found when the model is made, all in one error")
    func wrongOptions() throws {
        let error = #expect(throws: NSError.self) { try NSManagedObjectModel(WrongOptions.self) }
        let details = (error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []).map(\.localizedDescription)
        #expect(
            details == [
                "WrongOptions.text: Swift type String?, but only numbers and dates can have a range",
                "WrongOptions.number: Swift type Int?, but only a text can have a length",
                "WrongOptions.pattern: Swift type String?, but “a)(b” is not a regular expression",
                "WrongOptions.big: Swift type String?, but only binary data can be stored externally",
                "WrongOptions.many: Swift type Set<WrongOptions>, but maxCount 1 makes the relationship a to-one",
            ])
    }

    @Test("an inverse named on both sides is taken, and one pair serves many-to-many and one-to-many (B22, B23)")
    func inversesOnBothSides() throws {
        let model = try NSManagedObjectModel(Artist.self, Record.self, Track.self)
        #expect(
            model.entitiesByName["Artist"]?.relationshipsByName["records"]?.inverseRelationship
                === model.entitiesByName["Record"]?.relationshipsByName["artists"])
        let folder = try TemporaryFolder()
        let container = try NSPersistentContainer(name: "Music", managedObjectModel: model, entities: [])
        let store = try TestStore(container, at: folder.file("music.sqlite"))
        try store.run { (context: NSManagedObjectContext) throws in
            let artists = [Artist(context: context, name: "a"), Artist(context: context, name: "b")]
            let record = Record(context: context, artists: Set(artists))
            let other = Record(context: context)
            artists[0].records.insert(other)
            let track = Track(context: context)
            track.record = record
            #expect(record.tracks == [track])
            track.record = other
            #expect(record.tracks == [] && other.tracks == [track])
            track.record = nil
            #expect(other.tracks == [])
            track.record = record
            try context.save()
        }
        try store.fresh { (context: NSManagedObjectContext) throws in
            let artist = try #require(try context.fetch(Artist.self, where: \.name == "a").first)
            #expect(artist.records.count == 2)
            #expect(Set(artist.records.flatMap(\.artists).map(\.name)) == ["a", "b"])
            #expect(artist.records.map(\.tracks.count).sorted() == [0, 1])
        }
    }

    @Test("what classes and a model disagree in is a list for a test; strict checking throws all of it (B19)")
    func strict() throws {
        let model = try NSManagedObjectModel(Director.self, Movie.self, SecondPart.self, Scene.self)
        let issues = model.issues(for: LaxMovie.self)
        #expect(
            issues.map(\.description) == [
                "LaxMovie.userRating: Swift type Double, model type optional Double",
                "LaxMovie.title: Swift type String?, model type required String",
                "LaxMovie.ageLimit: Swift type AgeLimit, model type optional Integer 16",
            ])
        #expect(issues.allSatisfy { $0.severity == .warning })
        let error = #expect(throws: NSError.self) {
            try NSPersistentContainer(name: "x", managedObjectModel: model, checking: .strict, entities: LaxMovie.self)
        }
        #expect((error?.userInfo[NSDetailedErrorsKey] as? [NSError])?.count == 3)
        #expect(throws: Never.self) {
            try NSPersistentContainer(
                name: "x", managedObjectModel: model, checking: .strict, entities: Director.self, Movie.self)
        }
        #expect(model.issues(for: Nothing.self).map(\.severity) == [.error])
    }

    @Test("two models in one process with the same class: each context finds its own entity (B24)", arguments: 0..<4)
    func twoModels(run: Int) throws {
        let stores = try (0..<2).map { _ in try TestStore.cinema() }
        for _ in 0..<25 {
            for store in stores {
                try store.run { (context: NSManagedObjectContext) throws in
                    let director = Director(context: context, name: "D\(run)")
                    #expect(director.entity.managedObjectModel === store.container.managedObjectModel)
                    #expect(Director.makeInstance(in: context).entity === director.entity)
                    let requested = try context.fetch(Director.fetchRequest())
                    let fetched = try context.fetch(Director.self)
                    #expect(requested.contains(director))
                    #expect(fetched.allSatisfy { $0.entity === director.entity })
                }
            }
        }
    }
}

@Entity final class Lot: NSManagedObject {
    var films: Set<LotFilm>
}

@Entity class LotFilm: NSManagedObject {
    var lot: Lot?
    @Relationship(inverse: nil) var rival: Lot?
}

@Entity final class LotSequel: LotFilm {
    var part: Int = 2
}

@Entity final class Loner: NSManagedObject {
    var lots: Set<Lot>
}

@Entity final class Deliberate: NSManagedObject {
    @Relationship(inverse: nil) var lots: Set<Lot>
}

private final class Unclaimed: NSManagedObject {}

@Suite("What is silent elsewhere is told of")
struct SilentModelTests {
    private static let pair =
        "Lot.films and LotFilm.lot lead to each other's class, and neither is the inverse of the other"

    @Test("R33: two relationships that lead to each other's class without being inverses are told of on standard error, once")
    func missingInverse() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for _ in 0..<2 { _ = try NSPersistentContainer(name: "x", entities: Lot.self, LotFilm.self, LotSequel.self) }
            _ = try NSPersistentContainer(name: "x", entities: Loner.self, Lot.self, LotFilm.self)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.components(separatedBy: Self.pair).count == 2, "\(text)")
        #expect(text.contains("@Relationship(inverse: \\LotFilm.lot) on Lot.films"), "\(text)")
        #expect(!text.contains("rival") && !text.contains("Loner"), "\(text)")
    }

    @Test("R33: strict containers throw; inverse: nil says that it is meant")
    func strict() throws {
        let error = #expect(throws: NSError.self) {
            try NSPersistentContainer(name: "x", checking: .strict, entities: Lot.self, LotFilm.self)
        }
        #expect(error?.localizedDescription.contains(Self.pair) == true)
        let lonely = #expect(throws: NSError.self) {
            try NSManagedObjectModel(
                entities: [Loner.self, Track.self, Record.self, Artist.self, Lot.self], checking: .strict)
        }
        #expect(lonely?.localizedDescription.contains("Lot.films") == true)
        let model = try NSManagedObjectModel(entities: [Record.self, Artist.self, Track.self], checking: .strict)
        #expect(model.entities.count == 3)
        let deliberate = #expect(throws: NSError.self) {
            try NSManagedObjectModel(entities: [Deliberate.self, Lot.self, LotFilm.self], checking: .strict)
        }
        #expect(deliberate?.localizedDescription.contains("Deliberate") == false)
    }

    @Test("R33: observing a class that no entity has is told of on standard error, once")
    func unclaimedClass() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let store = try TestStore.cinema()
            try store.run { context in
                for _ in 0..<2 { context.observe(Unclaimed.self) { _ in }.cancel() }
                _ = context.changes(of: Unclaimed.self)
                context.observe(NSManagedObject.self) { _ in }.cancel()
                context.observe(Movie.self) { _ in }.cancel()
            }
            store.container.changes(of: Unclaimed.self).observe { _ in }.cancel()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.components(separatedBy: "Unclaimed is observed, but no entity").count == 2, "\(text)")
        #expect(!text.contains("Movie is observed") && !text.contains("NSManagedObject is observed"))
    }
}

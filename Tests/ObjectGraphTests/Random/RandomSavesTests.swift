import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

/// Programs that make every mistake a program can make with relationships and unique values, in several contexts under all policies: what a save writes is consistent, and a save
/// that fails writes nothing.
@Suite("Random saves, looked at by an independent checker")
struct RandomSavesTests {
    private static func model() -> NSManagedObjectModel {
        var maker = ModelMaker()
        let book = maker.entity(
            "Book", class: "NSManagedObject",
            [
                ModelMaker.attribute("code", .string), ModelMaker.attribute("title", .string, isOptional: false),
                ModelMaker.attribute("rating", .double), ModelMaker.attribute("copies", .integer32, default: 1),
            ])
        book.uniquenessConstraints = [["code"]]
        maker.entity("Novel", parent: "Book", class: "NSManagedObject", [ModelMaker.attribute("pages", .integer32)])
        for entity in ["Author", "Cover", "Tag", "Medal"] {
            maker.entity(entity, class: "NSManagedObject", [ModelMaker.attribute("label", .string)])
        }
        maker.relate("Book", "author", .one, "Author", "books", .many.cascade)
        maker.relate("Book", "editor", .one.required, "Author", "edited", .many.cascade)
        maker.relate("Book", "cover", .one, "Cover", "book", .one)
        maker.relate("Book", "tags", .many, "Tag", "tagged", .many.required)
        maker.relate("Author", "list", .ordered, "Book", "lister", .one)
        maker.relate("Author", "reading", .ordered, "Book", "readers", .many)
        maker.relate("Author", "medals", .many.required, "Medal", "holder", .one)
        maker.relate("Novel", "prequel", .one, "Novel", "successor", .one)
        maker.point("Book", "twin", .one, "Book")
        maker.point("Cover", "artist", .one, "Author")
        return maker.model()
    }

    private static let entities = ["Book", "Book", "Novel", "Author", "Cover", "Tag", "Medal"]
    private static let policies: [NSMergePolicyType] = [
        .errorMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
        .mergeByPropertyStoreTrumpMergePolicyType, .overwriteMergePolicyType, .rollbackMergePolicyType,
    ]

    /// One context and what the program knows of it.
    private final class Player {
        let context: NSManagedObjectContext
        /// All objects that it ever made or found, those that are gone as well.
        var objects: [NSManagedObject] = []
        /// Which attributes were set since the last save.
        var set: [(object: NSManagedObject, attribute: String)] = []

        init(_ context: NSManagedObjectContext) { self.context = context }
    }

    private final class Program {
        let stack: TestStack
        let checker: StoreChecker?
        var players: [Player]
        var random: SeededGenerator
        var steps: [String] = []
        var saves = 0

        init(_ kind: StackKind, _ seed: UInt64) throws {
            stack = try TestStack(kind, RandomSavesTests.model())
            checker = kind == .sqlite ? try StoreChecker(stack.model, stack.folder.file("store.sqlite")) : nil
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = stack.context
            players = [stack.context, child, stack.newContext()].map(Player.init)
            random = SeededGenerator(seed: seed)
        }

        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        func pick<T>(_ list: [T]) -> T? { list.randomElement(using: &random) }

        private func isAlive(_ object: NSManagedObject, _ player: Player) -> Bool {
            object.managedObjectContext === player.context && !object.isDeleted
        }

        private func some(_ entity: NSEntityDescription, _ player: Player) -> NSManagedObject? {
            let all = player.objects.filter { $0.entity.isKindOf(entity: entity) }
            // Mostly what is there, at times what is gone.
            return pick(chance(92) ? all.filter { isAlive($0, player) } : all)
        }

        private func set(_ object: NSManagedObject, _ attribute: String, _ value: Any?, _ player: Player) {
            steps.append("  \(attribute) of \(Self.name(object.objectID)): \(value.map { "\($0)" } ?? "none")")
            object.setValue(value, forKey: attribute)
            player.set.append((object, attribute))
        }

        private func insert(_ player: Player) {
            let name = pick(RandomSavesTests.entities) ?? "Book"
            let object = NSEntityDescription.insertNewObject(forEntityName: name, into: player.context)
            steps.append("  new \(Self.name(object.objectID))")
            player.objects.append(object)
            if object.entity.isKindOf(entity: stack.model.entitiesByName["Book"] ?? object.entity) {
                if chance(60) { set(object, "code", "c\(Int.random(in: 0..<6, using: &random))", player) }
                if chance(97) { set(object, "title", "t\(Int.random(in: 0..<100, using: &random))", player) }
                if chance(95) {
                    object.setValue(some(stack.model.entitiesByName["Author"] ?? object.entity, player), forKey: "editor")
                }
            } else if name == "Author" {
                let medal = NSEntityDescription.insertNewObject(forEntityName: "Medal", into: player.context)
                player.objects.append(medal)
                object.setValue(NSSet(object: medal), forKey: "medals")
            }
        }

        private func setAttribute(_ object: NSManagedObject, _ player: Player) {
            guard let attribute = pick(object.entity.attributesByName.keys.sorted()) else { return }
            let number = Int.random(in: 0..<6, using: &random)
            switch attribute {
            case "code": set(object, attribute, chance(30) ? nil : "c\(number)", player)
            case "title": set(object, attribute, chance(3) ? nil : "t\(number)", player)
            case "label": set(object, attribute, "l\(number)", player)
            case "rating": set(object, attribute, chance(20) ? nil : Double(number), player)
            default: set(object, attribute, number, player)
            }
        }

        private func relate(_ object: NSManagedObject, _ player: Player) {
            guard let relationship = pick(object.entity.relationshipsByName.values.sorted { $0.name < $1.name }),
                let destination = relationship.destinationEntity
            else { return }
            let other = some(destination, player)
            let target = other.map { Self.name($0.objectID) + (isAlive($0, player) ? "" : " (gone)") } ?? "none"
            steps.append("  \(relationship.name) of \(Self.name(object.objectID)): \(target)")
            guard relationship.isToMany else { return object.setValue(chance(15) ? nil : other, forKey: relationship.name) }
            guard let other else { return }
            if relationship.isOrdered {
                let set = object.mutableOrderedSetValue(forKey: relationship.name)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: set.insert(other, at: 0)
                case 1: set.remove(other)
                case 2: object.setValue(NSOrderedSet(array: Array(set.array.reversed())), forKey: relationship.name)
                default: set.add(other)
                }
            } else {
                let set = object.mutableSetValue(forKey: relationship.name)
                if chance(30) { set.remove(other) } else { set.add(other) }
            }
        }

        private func find(_ player: Player) throws {
            let request = NSFetchRequest<NSManagedObject>(
                entityName: ["Book", "Author", "Cover", "Tag", "Medal"].randomElement(using: &random) ?? "Book")
            for object in try player.context.fetch(request) where !player.objects.contains(where: { $0 === object }) {
                player.objects.append(object)
            }
        }

        func step(_ index: Int) throws {
            let player = players[index]
            let context = player.context
            let alive = player.objects.filter { isAlive($0, player) }
            let kind = Int.random(in: 0..<100, using: &random)
            steps.append("\(index): \(kind)")
            switch kind {
            case ..<22: insert(player)
            case ..<36: if let object = pick(alive) { setAttribute(object, player) }
            case ..<60: if let object = pick(alive) { relate(object, player) }
            case ..<68:
                guard let object = pick(alive) else { return }
                steps.append("  delete \(Self.name(object.objectID))")
                context.delete(object)
            case ..<72: context.processPendingChanges()
            case ..<80: try find(player)
            case ..<83: context.refreshAllObjects()
            default: try save(player)
            }
        }

        /// The name of a row, the same for each entity that its table holds.
        private static func name(_ entity: NSEntityDescription, _ key: String) -> String {
            var root = entity
            while let parent = root.superentity { root = parent }
            return "\(root.name ?? "") \(key)"
        }

        private static func name(_ id: NSManagedObjectID) -> String { name(id.entity, id.uriRepresentation().lastPathComponent) }

        private func save(_ player: Player) throws {
            let context = player.context
            let type = pick(RandomSavesTests.policies) ?? .errorMergePolicyType
            context.mergePolicy = NSMergePolicy(merge: type)
            steps.append("  save, \(type)")
            let before = try checker?.check() ?? []
            guard before.isEmpty else { throw Failure(reason: "before: \(before)") }
            let state = checker?.state
            // What was set, by key and by unique value: a new object may become one with a stored row.
            var set: Set<String> = []
            for (object, attribute) in player.set {
                var id = object.objectID
                // A child's object may still have the ID from before it was saved.
                if id.isTemporaryID, object.managedObjectContext !== context { id = context.object(with: id).objectID }
                if !id.isTemporaryID { set.insert("\(Self.name(id)) \(attribute)") }
                if object.managedObjectContext != nil, object.entity.attributesByName["code"] != nil,
                    let code = object.value(forKey: "code") as? String
                {
                    set.insert("t\(code) \(attribute)")
                }
            }
            // By overwrite a changed object is written whole, with what it was read with (CTX-118).
            var whole: Set<String> = []
            if type == .overwriteMergePolicyType {
                context.processPendingChanges()
                whole = Set(context.updatedObjects.map { Self.name($0.objectID) })
            }
            do {
                try context.save()
            } catch let error as NSError {
                steps.append("  failed: \(error.code)")
                let known = [
                    NSManagedObjectValidationError, NSValidationMultipleErrorsError, NSValidationMissingMandatoryPropertyError,
                    NSValidationRelationshipLacksMinimumCountError, NSManagedObjectMergeError,
                    NSManagedObjectConstraintMergeError,
                ]
                guard error.domain == NSCocoaErrorDomain, known.contains(error.code) else { throw Failure(reason: "\(error)") }
                let problems = try checker?.check() ?? []
                guard problems.isEmpty, checker?.state.rows == state?.rows, checker?.state.joins == state?.joins else {
                    throw Failure(reason: "a save that failed wrote something: \(problems)")
                }
                context.rollback()
                player.set = []
                return
            }
            saves += 1
            guard context.parent == nil else {
                try noteInParent(player)
                player.set = []
                return
            }
            let problems =
                try checker?.check { entity, key, row, attribute in
                    let name = Self.name(entity, "p\(key)")
                    return whole.contains(name) || set.contains("\(name) \(attribute)")
                        || row["ZCODE"].map { set.contains("\($0) \(attribute)") } == true
                } ?? []
            guard problems.isEmpty else { throw Failure(reason: "\(problems)") }
            player.set = []
            guard !context.hasChanges else { throw Failure(reason: "there are changes after the save") }
        }

        /// What a child has set is set in its parent, too, where a new object may have another unique value than in the child.
        private func noteInParent(_ child: Player) throws {
            let parent = players[0]
            let present = child.set.filter { $0.object.managedObjectContext === child.context }
            let pushed = present.map { (id: $0.object.objectID, attribute: $0.attribute) }
            parent.set += child.set
            parent.set += try parent.context.runUnchecked {
                pushed.map { (object: parent.context.object(with: $0.id), attribute: $0.attribute) }
            }
        }

        struct Failure: Error { let reason: String }
    }

    @Test(
        "R03…R10: a save writes what is consistent, and nothing that nobody has set; or it fails and writes nothing",
        arguments: RandomProgramTests.seeds(60))
    func saves(_ seed: UInt64) throws {
        let kinds: [UInt64: StackKind] = [0: .inMemory, 2: .xml, 5: .binary]
        let program = try Program(kinds[seed % 8] ?? .sqlite, seed)
        do {
            for _ in 0..<14 * 8 {
                let index = [0, 0, 1, 2].randomElement(using: &program.random) ?? 0
                let context = program.players[index].context
                try context.runUnchecked { try program.step(index) }
            }
        } catch let failure as Program.Failure {
            Issue.record("OPENCOREDATA_SEED=\(seed): \(failure.reason)\n\(program.steps.suffix(80).joined(separator: "\n"))")
        }
        #expect(program.saves > 0, "OPENCOREDATA_SEED=\(seed)")
    }
}

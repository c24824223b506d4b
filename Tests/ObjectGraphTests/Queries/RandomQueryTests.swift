import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import Storage
import TestSupport
import Testing

/// The same question asked of the store and of objects in memory. See `Fuzz` for seed and count.
@Suite("Random queries")
struct RandomQueryTests {
    enum Source: CaseIterable, Sendable {
        case people
        case fixture

        func model() throws -> NSManagedObjectModel {
            switch self {
            case .people: return People.model()
            case .fixture:
                let url = Fixtures.models.appendingPathComponent("swiftgen/Model.xcdatamodeld/Model 2.xcdatamodel")
                let model = try NSManagedObjectModel(readingModelAt: url)
                for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
                return model
            }
        }

        var counts: [(entity: String, count: Int)] {
            switch self {
            case .people:
                [
                    ("Person", 12), ("Manager", 4), ("Team", 3), ("Desk", 4), ("Skill", 4), ("Task", 6), ("Song", 3),
                    ("Badge", 3),
                ]
            case .fixture: [("MainEntity", 14), ("SecondaryEntity", 8)]
            }
        }
    }

    static let kinds: [StackKind] = [.sqlite, .evaluatingNothing, .evaluatingHalf]
    static var sources: [Source] { Fixtures.isAvailable ? Source.allCases : [.people] }

    /// Opens a store with random objects, in which nothing is loaded yet.
    private static func run(
        _ source: Source, _ kind: StackKind, _ name: String,
        _ body: (NSManagedObjectContext, inout RandomQueries, [EntityLayout]) throws -> Void
    ) throws {
        let model = try source.model()
        let stack = try TestStack(kind, model)
        var queries = RandomQueries(model, random: Fuzz.random("\(name), \(source), \(kind)"))
        try stack.run { context throws in
            queries.fill(context, source.counts)
            try context.save()
        }
        try stack.fresh { context throws in
            var entities: [EntityLayout] = []
            for (name, _) in source.counts {
                let entity = try #require(queries.layout.entity(named: name))
                entities.append(entity)
                queries.objects[entity.root] = try context.fetch(
                    NSFetchRequest<NSManagedObject>(entityName: queries.layout.entities[entity.root].name))
            }
            try body(context, &queries, entities)
        }
    }

    /// Nil for an operation that has no value for its operands: a store may do it where memory need not, because another operand tells the result already.
    private static func unlessMistaken<T>(_ body: () throws -> T) throws -> T? {
        do {
            return try body()
        } catch let error as NSError
            where ["needs a number, not a", "needs whole numbers"].contains(where: error.localizedDescription.contains)
        {
            return nil
        }
    }

    @Test("PRD-120 to PRD-142: a store finds the objects for which a predicate is true in memory", arguments: sources, kinds)
    func predicates(_ source: Source, _ kind: StackKind) throws {
        try Self.run(source, kind, "predicates") { context, queries, entities in
            var (compared, found, inSQL, failures) = (0, 0, 0, 0)
            let count = Fuzz.count(20_000 / (Self.sources.count * Self.kinds.count))
            for _ in 0..<count {
                let entity = queries.pick(Array(entities.prefix(2)) + entities)
                let predicate = queries.predicate(entity).predicate
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
                let all = try context.fetch(request)
                // Some operations have no value for some numbers; then the store has none either.
                guard let expected = try? all.filter({ try predicate.evaluate(validating: $0) }) else {
                    failures += 1
                    continue
                }
                request.predicate = predicate
                guard let result = try Self.unlessMistaken({ try context.fetch(request) }) else {
                    failures += 1
                    continue
                }
                try #require(
                    Set(result) == Set(expected) && result.count == expected.count,
                    "\(entity.name): \(PredicatePrinter.print(PredicateNode(predicate)))")
                compared += 1
                if !expected.isEmpty, expected.count < all.count { found += 1 }
                if try predicate.isQuery(
                    context.persistentStoreCoordinator?.managedObjectModel ?? NSManagedObjectModel(), entity.name)
                {
                    inSQL += 1
                }
            }
            print(
                "predicates, \(source): \(compared) compared, \(found) told objects apart, \(inSQL) in SQL, \(failures) without value"
            )
            #expect(compared > count * 8 / 10 && found > count / 4 && inSQL > count * 8 / 10)
        }
    }

    @Test("FET-60 to FET-70: a store sorts as memory does", arguments: sources, kinds)
    func sorting(_ source: Source, _ kind: StackKind) throws {
        try Self.run(source, kind, "sorting") { context, queries, entities in
            for _ in 0..<Fuzz.count(300) {
                let entity = queries.pick(Array(entities.prefix(2)))
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
                let descriptors = queries.sortDescriptors(entity)
                request.sortDescriptors = descriptors
                let sorted = try context.fetch(request)
                for (a, b) in zip(sorted, sorted.dropFirst()) {
                    let order = descriptors.lazy.map { $0.compare(a, to: b) }.first { $0 != .orderedSame }
                    try #require(order != .orderedDescending, "\(entity.name): \(descriptors)")
                }
                request.fetchOffset = queries.number(0...6)
                request.fetchLimit = queries.number(0...6)
                let end = request.fetchLimit == 0 ? sorted.count : min(sorted.count, request.fetchOffset + request.fetchLimit)
                #expect(try context.fetch(request) == Array(sorted[min(request.fetchOffset, end)..<end]), "\(descriptors)")
            }
        }
    }

    @Test(
        "FET-20 to FET-32: unsaved changes are tested in memory, all else by the store, and the window lies over both",
        arguments: sources, [StackKind.sqlite])
    func pendingChanges(_ source: Source, _ kind: StackKind) throws {
        try Self.run(source, kind, "pending changes") { context, queries, entities in
            let stored = NSManagedObjectContext(.privateQueue)
            stored.persistentStoreCoordinator = context.persistentStoreCoordinator
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = context
            for round in 0..<Fuzz.count(150) {
                let entity = queries.pick(Array(entities.prefix(2)))
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
                if round % 5 == 0 {
                    context.rollback()
                    let objects = try context.fetch(request)
                    for object in objects where queries.chance(25) { queries.relate(object, objects) }
                    for object in objects where queries.chance(10) { context.delete(object) }
                    queries.fill(context, [(entity.name, 3)])
                    context.processPendingChanges()
                }
                let predicate = queries.predicate(entity, 1).predicate
                // What is evaluated in memory sees the context's values of related objects too.
                guard try predicate.isQuery(source.model(), entity.name) else { continue }
                request.predicate = predicate
                let ids = NSFetchRequest<NSManagedObjectID>(entityName: entity.name)
                ids.predicate = predicate
                ids.resultType = .managedObjectIDResultType
                guard let before = try Self.unlessMistaken({ try stored.run { try $0.fetch(ids) } }) else { continue }
                func isPending(_ object: NSManagedObject) -> Bool { object.isInserted || object.isUpdated || object.isDeleted }
                let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name))
                var expected = Set(before.map { context.object(with: $0) }.filter { !isPending($0) })
                guard let pending = try? all.filter({ try isPending($0) && predicate.evaluate(validating: $0) }) else { continue }
                expected.formUnion(pending)
                guard let found = try Self.unlessMistaken({ try context.fetch(request) }) else { continue }
                try #require(
                    Set(found) == expected && found.count == expected.count,
                    "\(entity.name): \(PredicatePrinter.print(PredicateNode(predicate)))")
                #expect(try context.count(for: request) == found.count)
                request.includesPendingChanges = false
                #expect(
                    Set(try context.fetch(request).map(\.objectID)) == Set(before),
                    "\(PredicatePrinter.print(PredicateNode(predicate)))")
                request.includesPendingChanges = true
                request.sortDescriptors = queries.sortDescriptors(entity)
                let sorted = try context.fetch(request)
                request.fetchOffset = queries.number(0...4)
                request.fetchLimit = queries.number(1...6)
                #expect(try context.fetch(request).count == max(0, min(request.fetchLimit, sorted.count - request.fetchOffset)))
                request.fetchOffset = 0
                request.fetchLimit = 0
                guard let inChild = try Self.unlessMistaken({ try child.run { Set(try $0.fetch(request).map(\.objectID)) } })
                else { continue }
                #expect(inChild == Set(found.map(\.objectID)), "a child finds what its parent finds")
            }
        }
    }
}

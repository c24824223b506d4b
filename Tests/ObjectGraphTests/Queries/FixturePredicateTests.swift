import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import Storage
import TestSupport
import Testing

/// The predicates and derivations of `predicates.txt`, which come from real model files.
@Suite("Predicates of real models", .enabled(if: Fixtures.isAvailable))
struct FixturePredicateTests {
    /// The strings under a comment that begins with a model's name, as far as this is one of the models at hand.
    private static func strings(_ section: String, _ model: String) throws -> [String] {
        let text = try String(contentsOf: Fixtures.models.appendingPathComponent("predicates.txt"), encoding: .utf8)
        var (isSection, isModel) = (false, false)
        var result: [String] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# ---") {
                isSection = line.contains(section)
                isModel = false
            } else if line.hasPrefix("# ") {
                isModel = line.hasPrefix("# " + model)
            } else if isSection, isModel {
                result.append(String(line))
            }
        }
        return result
    }

    private static func run(
        _ path: String, _ counts: [(String, Int)], _ body: (NSManagedObjectContext, NSManagedObjectModel) throws -> Void
    ) throws {
        let model = try NSManagedObjectModel(readingModelAt: Fixtures.models.appendingPathComponent(path))
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        let stack = try TestStack(.sqlite, model)
        var queries = RandomQueries(model, random: SeededGenerator(seed: 1))
        try stack.run { context throws in
            queries.fill(context, counts.map { (entity: $0.0, count: $0.1) })
            for object in context.insertedObjects where object.entity.attributesByName["age"] != nil {
                object.setValue(1, forKey: "age")
            }
            try context.save()
        }
        try stack.fresh { context throws in try body(context, model) }
    }

    /// Asks the store and memory the same question.
    private static func compare(
        _ predicate: NSPredicate, _ entity: String, _ context: NSManagedObjectContext, _ model: NSManagedObjectModel
    ) throws -> Int {
        #expect(try predicate.isQuery(model, entity), "\(predicate)")
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        let expected = try context.fetch(request).filter { try predicate.evaluate(validating: $0) }
        request.predicate = predicate
        #expect(Set(try context.fetch(request)) == Set(expected), "\(predicate)")
        return expected.count
    }

    @Test("Fetch request templates: the store finds what is true in memory")
    func templates() throws {
        let mogenerator = try Self.strings("fetch request templates", "mogenerator/")
        let swiftgen = try Self.strings("fetch request templates", "swiftgen/")
        #expect(mogenerator.count == 3 && swiftgen.count == 2)
        try Self.run("mogenerator/test.xcdatamodel", [("Human", 10), ("Parent", 10), ("Child", 20)]) { context, model in
            let parents = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Parent"))
            var found = 0
            for (format, entity) in zip(mogenerator, ["Human", "Child", "Child"]) {
                for parent in parents {
                    let values: [String: Any] = [
                        "humanName": parent.value(forKey: "humanName") ?? NSNull(), "parent": parent,
                        "parentName": parent.value(forKey: "parentName") ?? NSNull(),
                    ]
                    found += try Self.compare(NSPredicate(format: format).substituting(values), entity, context, model)
                }
            }
            #expect(found > 10)
        }
        try Self.run("swiftgen/Model.xcdatamodeld/Model 2.xcdatamodel", [("MainEntity", 20), ("SecondaryEntity", 10)]) {
            context, model in
            let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "MainEntity"))
            var found = 0
            for format in swiftgen {
                for object in objects {
                    let values: [String: Any] = [
                        "UUID": object.value(forKey: "uuid") ?? NSNull(),
                        "NAME": object.value(forKeyPath: "oneToOne.name") ?? NSNull(),
                        "NEEDLE": object.value(forKey: "string") ?? NSNull(),
                    ]
                    found += try Self.compare(NSPredicate(format: format).substituting(values), "MainEntity", context, model)
                }
            }
            #expect(found > 20)
        }
    }

    @Test("Fetched properties and derived attributes: the store computes what memory does")
    func derivations() throws {
        let properties = try Self.strings("fetched properties", "swiftgen/")
        let derivations = try Self.strings("derived attributes", "swiftgen/")
        #expect(properties == ["true == true"] && derivations.count == 3)
        try Self.run("swiftgen/Model.xcdatamodeld/Model 2.xcdatamodel", [("MainEntity", 20), ("SecondaryEntity", 10)]) {
            context, model in
            let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "MainEntity"))
            for format in properties + ["TRUEPREDICATE"] {
                #expect(try Self.compare(NSPredicate(format: format), "MainEntity", context, model) == 20)
            }
            for derivation in derivations where derivation != "now()" {
                var found = 0
                for object in objects {
                    let value = NSExpression(format: derivation).expressionValue(with: object, context: nil) ?? NSNull()
                    found += try Self.compare(NSPredicate(format: "\(derivation) == %@", value), "MainEntity", context, model)
                }
                #expect(found >= 20)
            }
            #expect(try Self.compare(NSPredicate(format: "date < now()"), "MainEntity", context, model) > 0)
        }
    }
}

import DataModel
import Foundation
import FoundationGaps
import TestSupport
import Testing

/// Compiled models that no compiler made.
@Suite("Compiled models that can't be trusted")
struct HostileArchiveTests {
    typealias Members = [(String, ArchiveWriter.Member)]

    /// A model with the entities A and B, where A has the attribute `a` and the relationship `r` to B.
    private struct Parts {
        var writer = ArchiveWriter()
        var rootClass = "NSManagedObjectModel"
        var attributeClass = "NSAttributeDescription"
        var attribute: Members = [("NSAttributeType", .plain(.integer(700)))]
        var relationship: Members = []
        var entity: Members = []
        var root: Members = []

        mutating func text(_ text: String) -> Int { writer.add(.text(text)) }

        mutating func dictionary(_ pairs: [(String, Int)]) -> Int {
            let keys = pairs.map { writer.add(.text($0.0)) }
            return writer.add("NSDictionary", [("NS.keys", .objects(keys)), ("NS.objects", .objects(pairs.map(\.1)))])
        }

        /// The number that the next object gets.
        var next: Int { writer.count }

        mutating func data(classOffset: Int = 0) -> Data {
            let a = writer.add(attributeClass, [("NSPropertyName", .object(text("a")))] + attribute)
            let r = writer.add(
                "NSRelationshipDescription",
                [
                    ("NSPropertyName", .object(text("r"))), ("_NSDestinationEntityName", .object(text("B"))),
                    ("NSMaxCount", .plain(.integer(1))), ("NSDeleteRule", .plain(.integer(1))),
                ] + relationship)
            let properties = dictionary([("a", a), ("r", r)])
            let first = writer.add(
                "NSEntityDescription", [("NSEntityName", .object(text("A"))), ("NSProperties", .object(properties))] + entity)
            let second = writer.add("NSEntityDescription", [("NSEntityName", .object(text("B")))])
            let entities = dictionary([("A", first), ("B", second)])
            let model = writer.add(rootClass, [("NSEntities", .object(entities))] + root)
            return writer.data(root: model, classOffset: classOffset)
        }
    }

    private func read(_ data: Data) throws -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        try model.read(data, from: URL(fileURLWithPath: "/Hostile.mom"))
        return model
    }

    private func read(_ change: (inout Parts) -> Void) throws -> NSManagedObjectModel {
        var parts = Parts()
        change(&parts)
        return try read(parts.data())
    }

    private func failure(_ change: (inout Parts) -> Void) -> NSError? {
        let error = #expect(throws: NSError.self) { try read(change) }
        #expect(error?.localizedDescription.contains("/Hostile.mom") == true)
        return error
    }

    @Test("The plain model can be read")
    func plain() throws {
        let model = try read { _ in }
        #expect(model.entities.map(\.name) == ["A", "B"])
        #expect(model.entitiesByName["A"]?.attributesByName["a"]?.type == .string)
        #expect(model.entitiesByName["A"]?.relationshipsByName["r"]?.destinationEntity?.name == "B")
        #expect(model.loadingIssues.isEmpty)
    }

    @Test("Foreign classes: the model's and a property's are an error, a default's value is left out and told")
    func foreignClasses() throws {
        #expect(failure { $0.rootClass = "NSTask" }?.localizedDescription.contains("the class NSTask") == true)
        let property = failure { $0.attributeClass = "EvilDescription" }
        #expect(property?.code == 134060)
        #expect(property?.localizedDescription.contains("A.a: the class EvilDescription") == true)
        let model = try read {
            let value = $0.writer.add("App.Secret", [("x", .plain(.integer(1)))])
            $0.attribute = [("NSAttributeType", .plain(.integer(1800))), ("NSDefaultValue", .object(value))]
        }
        #expect(model.entitiesByName["A"]?.attributesByName["a"]?.defaultValue == nil)
        #expect(
            model.loadingIssues == ["A.a: the default of the class App.Secret does not fit the type Transformable"])
    }

    @Test("Unknown types, rules and places of entities are named")
    func unknownValues() throws {
        func text(_ change: (inout Parts) -> Void) -> String { failure(change)?.localizedDescription ?? "" }
        #expect(
            text { $0.attribute = [("NSAttributeType", .plain(.integer(777)))] }.contains("A.a: there is no attribute type 777"))
        #expect(
            text { $0.attribute = [("NSAttributeType", .plain(.integer(-1)))] }.contains("A.a: there is no attribute type -1"))
        #expect(text { $0.attribute = [("NSAttributeType", .plain(.integer(2100)))] }.contains("A.a"))
        #expect(text { $0.relationship = [("NSDeleteRule", .plain(.integer(9)))] }.contains("twice"))
        #expect(text { $0.root = [("NSVersionIdentifiers", .object(99_999))] }.contains("there is no object 99999"))
        #expect(
            text { parts in
                let other = parts.text("C")
                parts.entity = [
                    ("NSSuperentity", .object(parts.writer.add("NSEntityDescription", [("NSEntityName", .object(other))])))
                ]
            }.contains("A: the parent entity “C” is not in the model"))
    }

    @Test("An entity that inherits from itself, a composite and a predicate that contain themselves")
    func circles() throws {
        let parent = failure { parts in
            let name = parts.text("A")
            parts.entity = [
                ("NSSuperentity", .object(parts.writer.add("NSEntityDescription", [("NSEntityName", .object(name))])))
            ]
        }
        #expect(parent?.localizedDescription.contains("A: it inherits from itself") == true)
        let composite = failure { parts in
            let name = parts.text("c")
            let number = parts.next
            let list = parts.writer.add("NSArray", [("NS.objects", .objects([number + 1, number + 1]))])
            _ = parts.writer.add(
                "NSCompositeAttributeDescription",
                [
                    ("NSPropertyName", .object(name)), ("NSAttributeType", .plain(.integer(2100))),
                    ("NSCompositeElements", .object(list)),
                ])
            parts.attributeClass = "NSCompositeAttributeDescription"
            parts.attribute = [("NSAttributeType", .plain(.integer(2100))), ("NSCompositeElements", .object(list))]
        }
        #expect(composite?.localizedDescription.contains("nested more than 32 levels deep") == true)
        for kind in [0, 1, 2] {
            let model = try read { parts in
                let number = parts.next
                let list = parts.writer.add(
                    "NSArray", [("NS.objects", .objects(kind == 0 ? [number + 1] : [number + 1, number + 1]))])
                let predicate = parts.writer.add(
                    "NSCompoundPredicate",
                    [("NSCompoundPredicateType", .plain(.integer(Int64(kind)))), ("NSSubpredicates", .object(list))])
                let all = parts.writer.add("NSArray", [("NS.objects", .objects([predicate]))])
                parts.attribute = [
                    ("NSAttributeType", .plain(.integer(700))), ("NSValidationPredicates", .object(all)),
                    ("NSValidationWarnings", .object(list)),
                ]
            }
            #expect(model.loadingIssues.first?.contains("nested too deeply, or contains itself") == true)
        }
    }

    @Test("References to nothing, to other things, and collections that contain themselves")
    func references() throws {
        var parts = Parts()
        #expect(throws: NSError.self) { try read(parts.data(classOffset: 1)) }
        #expect(throws: NSError.self) { try read(parts.data(classOffset: 5000)) }
        let model = try read { parts in
            let number = parts.next
            let list = parts.writer.add("NSArray", [("NS.objects", .objects([number, number]))])
            parts.entity = [
                ("NSUniqueTuples", .object(list)), ("NSCompoundIndexes", .object(list)),
                ("NSFetchIndexDescriptions", .object(list)), ("NSUserInfo", .object(list)), ("NSSubentities", .object(list)),
            ]
            parts.root = [("NSConfigurations", .object(list)), ("NSFetchRequestTemplates", .object(list))]
        }
        #expect(model.entitiesByName["A"]?.uniquenessConstraintNames == [])
    }

    @Test("A list that is shared by very many objects does not grow")
    func sharedLists() throws {
        var list = PropertyListWriter()
        let leaf = list.add(.text("x"))
        var members: [(key: Int, value: Int)] = [(key: list.add(.text("$class")), value: list.add(.uid(1)))]
        for number in 0..<2000 { members.append((key: list.add(.text("k\(number)")), value: leaf)) }
        let big = list.add(.dictionary(members))
        let name = list.add(.dictionary([(key: list.add(.text("$classname")), value: list.add(.text("NSDictionary")))]))
        let root = list.add(
            .dictionary([
                (key: list.add(.text("$class")), value: list.add(.uid(3))),
                (key: list.add(.text("NSEntities")), value: list.add(.uid(4))),
            ]))
        let rootName = list.add(
            .dictionary([(key: list.add(.text("$classname")), value: list.add(.text("NSManagedObjectModel")))]))
        let numbers = Array(5..<5000)
        let uids = list.add(.array(numbers.map { list.add(.uid($0)) }))
        let entities = list.add(
            .dictionary([
                (key: list.add(.text("$class")), value: list.add(.uid(1))), (key: list.add(.text("NS.keys")), value: uids),
                (key: list.add(.text("NS.objects")), value: uids),
            ]))
        let objects = list.add(.array([leaf, name, root, rootName, entities] + numbers.map { _ in big }))
        let top = list.add(.dictionary([(key: list.add(.text("root")), value: list.add(.uid(2)))]))
        let archive = list.add(
            .dictionary([
                (key: list.add(.text("$archiver")), value: list.add(.text("NSKeyedArchiver"))),
                (key: list.add(.text("$objects")), value: objects), (key: list.add(.text("$top")), value: top),
            ]))
        let error = #expect(throws: NSError.self) { try read(list.data(top: archive)) }
        #expect(error?.localizedDescription.contains("too large") == true)
    }

    @Test("Very many objects that refer to the same large part are not walked through one by one", arguments: [0, 1, 2])
    func sharedParts(kind: Int) throws {
        var parts = Parts()
        switch kind {
        case 0:
            // 3,000 constraints of 3,000 names each, which are one list.
            let names = (0..<3000).map { _ in parts.writer.add(.text("a")) }
            let list = parts.writer.add("NSArray", [("NS.objects", .objects(names))])
            let groups = parts.writer.add("NSArray", [("NS.objects", .objects(Array(repeating: list, count: 3000)))])
            parts.entity = [("NSUniqueTuples", .object(groups))]
        case 1:
            // A predicate of many parts for each of 3,000 validations.
            let selfNode = parts.writer.add("NSSelfExpression", [])
            let sign = parts.writer.add("NSEqualityPredicateOperator", [("NSOperatorType", .plain(.integer(4)))])
            let leaf = parts.writer.add(
                "NSComparisonPredicate",
                [
                    ("NSLeftExpression", .object(selfNode)), ("NSRightExpression", .object(selfNode)),
                    ("NSPredicateOperator", .object(sign)),
                ])
            let leaves = parts.writer.add("NSArray", [("NS.objects", .objects(Array(repeating: leaf, count: 4000)))])
            let all = parts.writer.add(
                "NSCompoundPredicate", [("NSCompoundPredicateType", .plain(.integer(1))), ("NSSubpredicates", .object(leaves))])
            let list = parts.writer.add("NSArray", [("NS.objects", .objects(Array(repeating: all, count: 3000)))])
            parts.attribute.append(("NSValidationPredicates", .object(list)))
        default:
            // One entity 100,000 times.
            let name = parts.text("A")
            let properties = parts.dictionary((0..<200).map { ("p\($0)", parts.next) })
            let entity = parts.writer.add(
                "NSEntityDescription", [("NSEntityName", .object(name)), ("NSProperties", .object(properties))])
            let entities = Array(repeating: entity, count: 100_000)
            let list = parts.writer.add("NSDictionary", [("NS.keys", .objects(entities)), ("NS.objects", .objects(entities))])
            let root = parts.writer.add("NSManagedObjectModel", [("NSEntities", .object(list))])
            let error = #expect(throws: NSError.self) { try read(parts.writer.data(root: root)) }
            #expect(error?.localizedDescription.contains("too large") == true)
            return
        }
        let error = #expect(throws: NSError.self) { try read(parts.data()) }
        #expect(error?.localizedDescription.contains("too large") == true)
    }

    @Test("An archive that ends anywhere is an error, and so is none with a byte changed a trap")
    func damage() throws {
        var parts = Parts()
        let data = parts.data()
        for end in 0..<data.count - 1 { #expect(throws: NSError.self) { try read(data.prefix(end)) } }
        for place in 0..<data.count {
            for value in [UInt8(0), 0x0f, 0x80, 0xd3, 0xff] {
                var copy = data
                copy[place] = value
                _ = try? read(copy)
            }
        }
    }

    // MARK: Packed models

    private func unpack(_ bytes: [UInt8]) -> String {
        let error = #expect(throws: NSError.self) {
            try NSManagedObjectModel().read(cache: Data(bytes), hashes: [:], from: URL(fileURLWithPath: "/S.sqlite"))
        }
        return error?.localizedDescription ?? ""
    }

    @Test("A packed model that would become gigabytes is an error before it does")
    func bomb() {
        // One byte, then copies of it, 258 at a time: 13 bits each.
        var bits: [Bool] = [true, true, false]
        func code(_ value: Int, _ count: Int) { for place in (0..<count).reversed() { bits.append(value >> place & 1 == 1) } }
        code(0x30, 8)
        for _ in 0..<300_000 {
            code(0b1100_0101, 8)
            code(0, 5)
        }
        var bytes = [UInt8](repeating: 0, count: bits.count / 8 + 1)
        for (place, bit) in bits.enumerated() where bit { bytes[place / 8] |= 1 << UInt8(place % 8) }
        #expect(unpack(bytes).contains("larger than 64 MB"))
        // Plain copies of themselves, too.
        #expect(unpack([1, 0xff, 0xff, 0, 0]).contains("not a raw DEFLATE stream"))
    }

    @Test("A damaged packed model is an error")
    func badStreams() {
        for bytes: [UInt8] in [
            [], [7], [6], [3, 0, 1], [0x4b, 0x04, 0xff], [1, 1, 0, 0, 0, 65], [5, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        ] {
            #expect(unpack(bytes).contains("/S.sqlite"))
        }
        // An empty stream is whole, but no model.
        #expect(unpack([3, 0]).contains("S.sqlite"))
    }
}

import Foundation
import OpenCoreData
import TestSupport

/// Compiled models, damaged or made to do harm.
enum HostileArchives {
    private static let sound: Data? = {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).xcdatamodel")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(EverythingModel.xml.utf8).write(to: folder.appendingPathComponent("contents"))
            return try NSManagedObjectModel(readingModelAt: folder).compiledData()
        } catch {
            return nil
        }
    }()

    static func model(_ random: inout SeededGenerator) -> Data {
        Int.random(in: 0..<2, using: &random) == 0 ? damaged(&random) : made(&random)
    }

    private static func damaged(_ random: inout SeededGenerator) -> Data {
        guard var data = sound.map(Array.init) else { return Data() }
        for _ in 0..<Int.random(in: 1...6, using: &random) where !data.isEmpty {
            let place = Int.random(in: 0..<data.count, using: &random)
            let end = min(data.count, place + Int.random(in: 1...20, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0: data.removeSubrange(place..<end)
            case 1: data.insert(contentsOf: data[place..<end], at: Int.random(in: 0...data.count, using: &random))
            case 2: data[place] = [0, 0x0f, 0x1f, 0x80, 0xaf, 0xd1, 0xff][Int.random(in: 0..<7, using: &random)]
            default: data[place] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return Data(data)
    }

    private static let classes = [
        "NSManagedObjectModel", "NSEntityDescription", "NSAttributeDescription", "NSDerivedAttributeDescription",
        "NSCompositeAttributeDescription", "NSRelationshipDescription", "NSFetchedPropertyDescription", "NSFetchRequest",
        "NSFetchIndexDescription", "NSFetchIndexElementDescription", "NSDictionary", "NSMutableDictionary", "NSArray", "NSSet",
        "NSKnownKeysDictionary1", "NSComparisonPredicate", "NSCompoundPredicate", "NSKeyPathExpression", "NSFunctionExpression",
        "NSSelfExpression", "NSConstantValueExpression", "NSKeyPathSpecifierExpression", "NSEqualityPredicateOperator",
        "_NSPropertyDescriptionProxy", "NSDate", "NSUUID", "NSURL", "NSDecimalNumberPlaceholder", "XDPMModel",
        "Foundation.Process",
    ]
    private static let keys = [
        "NSEntities", "NSConfigurations", "NSFetchRequestTemplates", "NSVersionIdentifiers", "NSEntityName", "NSProperties",
        "NSSuperentity", "NSUserInfo", "NSUniqueTuples", "NSCompoundIndexes", "NSFetchIndexDescriptions", "NSPropertyName",
        "NSAttributeType", "NSDefaultValue", "NSValidationPredicates", "NSValidationWarnings", "NSDerivationExpression",
        "NSCompositeElements", "_NSDestinationEntityName", "NSDestinationEntity", "_NSInverseRelationshipName", "NSMaxCount",
        "NSDeleteRule", "NSFetchRequest", "NSEntity", "NSPredicate", "NSSortDescriptors", "NSSubpredicates",
        "NSCompoundPredicateType", "NSLeftExpression", "NSRightExpression", "NSPredicateOperator", "NSOperatorType", "NSOperand",
        "NSSelectorName", "NSArguments", "NSConstantValue", "NSKeyPath", "NS.keys", "NS.objects", "values", "searchMapping",
        "keys",
        "NS.time", "NS.mantissa", "NS.length", "NS.exponent", "NS.uuidbytes", "NS.relative",
    ]

    /// A model with entities of random parts, which refer to each other at random.
    private static func made(_ random: inout SeededGenerator) -> Data {
        var writer = ArchiveWriter()
        let count = Int.random(in: 5...60, using: &random)
        func number() -> Int { Int.random(in: 0...count + 20, using: &random) }
        let names = (0..<4).map { writer.add(.text("E\($0)")) }
        for _ in 0..<count {
            var members: [(String, ArchiveWriter.Member)] = []
            for key in keys where Int.random(in: 0..<5, using: &random) == 0 {
                switch Int.random(in: 0..<6, using: &random) {
                case 0: members.append((key, .plain(.integer(Int64.random(in: -3...2200, using: &random)))))
                case 1: members.append((key, .plain(.integer(Int64(bitPattern: random.next())))))
                case 2: members.append((key, .object(names[Int.random(in: 0..<names.count, using: &random)])))
                case 3: members.append((key, .objects((0..<Int.random(in: 0...4, using: &random)).map { _ in number() })))
                default: members.append((key, .object(number())))
                }
            }
            _ = writer.add(classes[Int.random(in: 0..<classes.count, using: &random)], members)
        }
        var entities: [Int] = []
        for name in names {
            let properties = (0..<Int.random(in: 0...5, using: &random)).map { _ in number() }
            let list = writer.add("NSDictionary", [("NS.keys", .objects(properties)), ("NS.objects", .objects(properties))])
            entities.append(
                writer.add(
                    "NSEntityDescription",
                    [("NSEntityName", .object(name)), ("NSProperties", .object(list)), ("NSSuperentity", .object(number()))]))
        }
        let list = writer.add("NSDictionary", [("NS.keys", .objects(names)), ("NS.objects", .objects(entities))])
        let root = writer.add(
            "NSManagedObjectModel", [("NSEntities", .object(list)), ("NSFetchRequestTemplates", .object(number()))])
        return writer.data(root: root)
    }
}

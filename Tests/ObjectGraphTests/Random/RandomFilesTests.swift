import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

/// The same random program on an SQLite store, an XML store and a binary one: after each opening the three have the same objects.
@Suite("Random graphs in files of every format")
struct RandomFilesTests {
    private final class Program {
        let stack: TestStack
        var random: SeededGenerator
        /// By the order in which they were made; nil for those that are gone.
        var objects: [NSManagedObject?] = []

        init(_ kind: StackKind, _ seed: UInt64) throws {
            stack = try TestStack.people(kind)
            random = SeededGenerator(seed: seed)
        }

        private static let entities = ["Person", "Manager", "Person", "Team", "Desk", "Skill", "Task", "Song", "Badge"]
        private static let texts = ["", "a<b>&c", "\u{1}\r\n\t", "\\u3c00", "é🎬", "x\u{ffff}", " "]

        private func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

        private func value(_ attribute: NSAttributeDescription) -> Any? {
            if number(0..<5) == 0 { return nil }
            let bits = Int64.random(in: .min ... .max, using: &random)
            switch attribute.type {
            case .integer16: return Int16(truncatingIfNeeded: bits)
            case .integer32: return Int32(truncatingIfNeeded: bits)
            case .integer64: return bits
            case .boolean: return bits & 1 == 0
            case .double: return Double(bits) / pow(10, Double(number(0..<40)))
            case .float: return Float(bits) / 1e9
            case .decimal:
                return Decimal(
                    sign: bits < 0 ? .minus : .plus, exponent: -number(0..<20), significand: Decimal(number(0..<1_000_000)))
            case .date: return Date(timeIntervalSinceReferenceDate: Double(bits) / 1e9)
            case .binaryData: return Data((0..<number(0..<200)).map { UInt8(truncatingIfNeeded: $0 &* 7) })
            case .uuid:
                let high = String(format: "%08X", UInt32(truncatingIfNeeded: bits))
                return UUID(uuidString: "\(high)-0000-4000-8000-000000000000")
            case .uri: return URL(string: "https://example.com/\(number(0..<99))?a=b&c=%20")
            case .transformable: return [bits & 1 == 0 ? "x" : "y", "z"] as NSArray
            default: return Self.texts[number(0..<Self.texts.count)] + "\(bits)"
            }
        }

        private func some(_ entity: NSEntityDescription?) -> NSManagedObject? {
            let found = objects.compactMap { $0 }.filter { object in entity.map { object.entity.isKindOf(entity: $0) } ?? true }
            return found.isEmpty ? nil : found[number(0..<found.count)]
        }

        private func step(_ context: NSManagedObjectContext) {
            switch number(0..<10) {
            case 0..<3:
                let object = context.make(Self.entities[number(0..<Self.entities.count)])
                object.setValue("\(objects.count)", forKey: "name")
                objects.append(object)
            case 3..<5:
                guard let object = some(nil) else { return }
                let attributes = object.entity.attributesByName.values.filter { !$0.isTransient && $0.name != "name" }
                    .sorted { $0.name < $1.name }
                guard !attributes.isEmpty else { return }
                let attribute = attributes[number(0..<attributes.count)]
                object.setValue(value(attribute), forKey: attribute.name)
            case 5..<9:
                guard let object = some(nil) else { return }
                let relationships = object.entity.relationshipsByName.values.sorted { $0.name < $1.name }
                guard !relationships.isEmpty else { return }
                let relationship = relationships[number(0..<relationships.count)]
                guard let other = some(relationship.destinationEntity) else { return }
                if relationship.isOrdered {
                    let set = object.mutableOrderedSetValue(forKey: relationship.name)
                    if number(0..<4) == 0 { set.remove(other) } else { set.insert(other, at: 0) }
                } else if relationship.isToMany {
                    let set = object.mutableSetValue(forKey: relationship.name)
                    if number(0..<4) == 0 { set.remove(other) } else { set.add(other) }
                } else {
                    object.setValue(number(0..<6) == 0 ? nil : other, forKey: relationship.name)
                }
            default:
                guard let object = some(nil), number(0..<2) == 0 else { return }
                objects = objects.map { $0 === object ? nil : $0 }
                context.delete(object)
            }
        }

        func run(_ steps: Int) throws {
            try stack.run { context in
                for _ in 0..<steps { step(context) }
                try context.save()
            }
        }

        /// Everything in the file.
        func contents() throws -> [String] {
            let reopened = try stack.reopened()
            defer { #expect(throws: Never.self) { try reopened.coordinator.remove(reopened.store) } }
            return try reopened.run { context in
                try Set(Self.entities).subtracting(["Manager"]).sorted().flatMap { entity in
                    try context.all(entity).map { object in
                        "\(object.entity.name ?? "") "
                            + object.entity.propertiesByName.keys.sorted().map { "\($0): \(Self.text(object.value(forKey: $0)))" }
                            .joined(separator: "; ")
                    }.sorted()
                }
            }
        }

        private static func text(_ value: Any?) -> String {
            switch value {
            case let object as NSManagedObject: object.text("name") ?? ""
            case let set as NSOrderedSet: "\(set.array.map { text($0) })"
            case let set as Set<NSManagedObject>: "\(set.map { text($0) }.sorted())"
            case let data as Data: data.base64EncodedString()
            case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
            case let text as String: "\(Array(text.utf8))"
            case let value: "\(value ?? "nil")"
            }
        }
    }

    @Test("After each save the file of each format has what the SQLite store has", arguments: RandomProgramTests.seeds(12))
    func sameEverywhere(_ seed: UInt64) throws {
        let programs = try [StackKind.sqlite, .xml, .binary].map { try Program($0, seed) }
        for _ in 0..<4 {
            for program in programs { try program.run(60) }
            let wanted = try programs[0].contents()
            #expect(!wanted.isEmpty)
            for program in programs.dropFirst() {
                #expect(try program.contents() == wanted, "\(program.stack.kind), OPENCOREDATA_SEED=\(seed)")
            }
        }
    }
}

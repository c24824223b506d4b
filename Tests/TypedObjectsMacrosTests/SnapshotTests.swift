import Foundation
import SwiftParser
import SwiftSyntax
import Testing

@Suite("What the macros make of the classes for public models")
struct SnapshotTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    private static let sources = tests.appendingPathComponent("TypedObjectsTests/Ports")
    private static let snapshots = tests.appendingPathComponent("TypedObjectsMacrosTests/Snapshots")

    static let names: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: sources.path)) ?? [])
        .filter { $0.hasSuffix("Port.swift") && $0 != "Port.swift" }.map { String($0.dropLast(6)) }.sorted()

    /// The types of a file, one after the other: whether a class inherits from an entity is known for each.
    private static func expand(_ source: String) -> (source: String, diagnostics: [String]) {
        let file = Parser.parse(source: source)
        let members = file.statements.compactMap { $0.item.as(EnumDeclSyntax.self) }.flatMap { $0.memberBlock.members }
        let expansions = members.compactMap { member -> Expansion? in
            if let entity = member.decl.as(ClassDeclSyntax.self) {
                let superclass = entity.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription
                return Expansion(entity.trimmedDescription, inheritsEntity: superclass != "NSManagedObject")
            }
            return member.decl.as(StructDeclSyntax.self).map { Expansion($0.trimmedDescription) }
        }
        return (expansions.map(\.source).joined(separator: "\n\n") + "\n", expansions.flatMap(\.diagnostics))
    }

    /// With UPDATE_SNAPSHOTS set, the files are written instead of compared.
    @Test("the expansion is the one that was looked at and found good", arguments: names)
    func snapshot(name: String) throws {
        let source = try String(contentsOf: Self.sources.appendingPathComponent(name + ".swift"), encoding: .utf8)
        let expansion = Self.expand(source)
        #expect(expansion.diagnostics == [])
        let file = Self.snapshots.appendingPathComponent(name + ".txt")
        if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] != nil {
            try expansion.source.write(to: file, atomically: true, encoding: .utf8)
        }
        let lines = (
            made: expansion.source.components(separatedBy: "\n"),
            kept: try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        )
        for (made, kept) in zip(lines.made, lines.kept) where made != kept {
            Issue.record("made: \(made)\nkept: \(kept)")
            break
        }
        #expect(lines.made.count == lines.kept.count)
    }

    @Test("there are at least ten") func count() { #expect(Self.names.count >= 10) }
}

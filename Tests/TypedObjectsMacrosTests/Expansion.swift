import Foundation
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import TypedObjectsMacros

/// The result of running the package's macros over a piece of source.
struct Expansion {
    let source: String
    /// `line:column: message`, in the order reported.
    let diagnostics: [String]
    let fixIts: [String]
    /// The source after each correction alone, in the order of `fixIts`.
    let corrected: [String]

    /// - Parameter inheritsEntity: whether the compiler would find the classes' superclass to be an entity already.
    init(_ source: String, inheritsEntity: Bool = false) {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(sourceFiles: [file: .init(moduleName: "Tests", fullFilePath: "Tests.swift")])
        let conformances: [TypeSyntax] = inheritsEntity ? [] : ["TypedObject"]
        let specs = [
            "Entity": MacroSpec(type: EntityMacro.self, conformances: conformances),
            "Managed": MacroSpec(type: ManagedMacro.self),
            "Attribute": MacroSpec(type: AttributeMacro.self),
            "Relationship": MacroSpec(type: RelationshipMacro.self),
            "Ignored": MacroSpec(type: IgnoredMacro.self),
            "FetchedProperty": MacroSpec(type: FetchedPropertyMacro.self),
            "ManagedActor": MacroSpec(type: ManagedActorMacro.self, conformances: ["ManagedObjectActor"]),
            "Composite": MacroSpec(type: CompositeMacro.self, conformances: ["CompositeValue"]),
            "Unique": MacroSpec(type: GroupMacro.self),
            "Index": MacroSpec(type: GroupMacro.self),
        ]
        self.source =
            file.expand(
                macroSpecs: specs,
                contextGenerator: {
                    BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.lexicalContextOfParents)
                },
                indentationWidth: .spaces(4)
            ).description
        diagnostics = context.diagnostics.map { diagnostic in
            let location = context.location(for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "Tests.swift")
            return "\(location.line):\(location.column): \(diagnostic.message)"
        }
        let fixIts = context.diagnostics.flatMap(\.fixIts)
        self.fixIts = fixIts.map(\.message.message)
        corrected = fixIts.map { Self.apply($0, to: source) }
    }
}

extension Expansion {
    /// The first place of the old text is taken: tests have each text once.
    private static func apply(_ fixIt: FixIt, to source: String) -> String {
        fixIt.changes.reduce(source) { text, change in
            guard case .replace(let oldNode, let newNode) = change else { return text }
            let old = oldNode.description
            guard let range = text.range(of: old) ?? text.range(of: oldNode.trimmedDescription) else { return text }
            return text.replacingCharacters(
                in: range, with: text[range] == old ? newNode.description : newNode.trimmedDescription)
        }
    }
}

extension Syntax {
    /// What the compiler gives a macro as its lexical context, for the declarations these tests use.
    fileprivate var lexicalContextOfParents: [Syntax] {
        sequence(first: parent, next: { $0?.parent }).compactMap { $0 }.filter {
            $0.is(ClassDeclSyntax.self) || $0.is(StructDeclSyntax.self) || $0.is(ExtensionDeclSyntax.self)
        }
    }
}

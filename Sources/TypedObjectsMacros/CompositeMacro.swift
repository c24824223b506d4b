import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Composite`: makes a struct the value of a composite attribute.
enum CompositeMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let structure = declaration.as(StructDeclSyntax.self) else {
            MacroDiagnostic.compositeNotOnStruct.report(at: declaration.introducer, in: context)
            return []
        }
        if let parameters = structure.genericParameterClause {
            MacroDiagnostic.genericComposite(structure.name.text).report(at: parameters, in: context)
            return []
        }
        let properties = ManagedProperty.all(in: declaration, of: .composite, reportingTo: context)
        let access = min(AccessLevel(structure.modifiers), .public).modifier
        let name = type.trimmed
        func lines(_ make: (ManagedProperty) -> String) -> String { properties.map(make).joined(separator: "\n        ") }
        let keyPaths = properties.map { "\\\(name).\($0.identifier)" }.joined(separator: ", ")
        return [
            try ExtensionDeclSyntax(
                """
                extension \(name): CompositeValue {
                    \(raw: access)static var _compositeSchema: _CompositeSchema {
                        \(raw: properties.isEmpty ? "let" : "var") schema = _CompositeSchema()
                        \(raw: lines { "schema.add(\($0.schemaArguments))" })
                        return schema
                    }
                    \(raw: access)static var _typedKeyPaths: [AnyKeyPath] {
                        [\(raw: keyPaths)]
                    }
                    \(raw: access)init(_composite values: _CompositeElements) throws(PropertyValueError) {
                        \(raw: lines { "self.\($0.identifier) = try values.get(\(stringLiteral($0.storedName)))" })
                    }
                    \(raw: access)func _write(to values: _CompositeElements) {
                        \(raw: lines { "values.set(\(stringLiteral($0.storedName)), \($0.identifier))" })
                    }
                }
                """)
        ]
    }
}

import SwiftSyntax
import SwiftSyntaxBuilder

/// A class under `@Entity` and the members that are generated for it.
struct EntityClass {
    let className: String
    let superclass: TypeSyntax
    let access: AccessLevel
    let isFinal: Bool
    var entityName: String
    /// Whether the superclass is an entity itself, whose members are then overridden.
    var inheritsSchema = false
    var properties: [ManagedProperty] = []

    /// Nil for anything but a class with a superclass.
    init?(_ declaration: some DeclGroupSyntax) {
        guard let declaration = declaration.as(ClassDeclSyntax.self),
            let superclass = declaration.inheritanceClause?.inheritedTypes.first?.type
        else { return nil }
        className = declaration.name.text
        entityName = className.filter { $0 != "`" }
        self.superclass = superclass.trimmed
        access = AccessLevel(declaration.modifiers)
        isFinal = declaration.modifiers.contains { $0.name.tokenKind == .keyword(.final) }
    }
}

extension EntityClass {
    /// `_typedSlotBase`, `_typedSlotCount` and `_typedSchema`.
    var schemaMembers: [DeclSyntax] {
        let override = inheritsSchema ? "override " : ""
        let head = (isFinal && access == .open ? AccessLevel.public : access).modifier + override + (isFinal ? "static" : "class")
        let base = inheritsSchema ? "\(superclass)._typedSlotCount" : "0"
        let lines = properties.map { "schema.add(\($0.schemaArguments))" }
        return [
            "\(raw: head) var _typedSlotBase: Int { \(raw: base) }",
            "\(raw: head) var _typedSlotCount: Int { \(raw: className)._typedSlotBase + \(raw: properties.count) }",
            """
            \(raw: head) var _typedSchema: TypedSchema {
                \(raw: lines.isEmpty ? "let" : "var") schema = TypedSchema(entityName: \(raw: stringLiteral(entityName)), \
            type: \(raw: className).self, superclass: \(superclass).self)
                \(raw: (lines + ["return schema"]).joined(separator: "\n    "))
            }
            """,
        ]
    }
}

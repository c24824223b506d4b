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
    /// The labelled arguments of `@Entity`.
    var settings: [(label: String, value: String)] = []
    /// The groups of `#Unique` and `#Index`, by the parameter of `_TypedSchema` that takes them.
    var groups: [(label: String, names: [String])] = []

    /// Nil for anything but a class with a superclass.
    init?(_ declaration: some DeclGroupSyntax) {
        guard let declaration = declaration.as(ClassDeclSyntax.self),
            let superclass = declaration.inheritanceClause?.inheritedTypes.first?.type
        else { return nil }
        className = declaration.name.text
        entityName = className.withoutBackticks
        self.superclass = superclass.trimmed
        access = AccessLevel(declaration.modifiers)
        isFinal = declaration.modifiers.contains { $0.name.tokenKind == .keyword(.final) }
    }
}

extension EntityClass {
    var isAbstract: Bool { settings.contains { $0.label == "isAbstract" && $0.value == "true" } }

    private var modifiers: String { (isFinal && access == .open ? AccessLevel.public : access).modifier }
    private var override: String { inheritsSchema ? "override " : "" }

    /// The schema's arguments besides name and classes.
    private var schemaSettings: String {
        var arguments = settings.map { ", \($0.label): \($0.value)" }
        for label in ["uniqueness", "indexes"] {
            let lists = groups.filter { $0.label == label }.map { "[\($0.names.map(stringLiteral).joined(separator: ", "))]" }
            if !lists.isEmpty { arguments.append(", \(label): [\(lists.joined(separator: ", "))]") }
        }
        return arguments.joined()
    }

    /// `_typedSlotBase`, `_typedSlotCount` and `_typedSchema`.
    var schemaMembers: [DeclSyntax] {
        let head = modifiers + override + (isFinal ? "static" : "class")
        let base = inheritsSchema ? "\(superclass)._typedSlotCount" : "0"
        // Reported properties are left out, because the compiler would report them again.
        let lines = properties.filter { !$0.hasUnsupportedType }.map { "schema.add(\($0.schemaArguments))" }
        return [
            "\(raw: head) var _typedSlotBase: Int { \(raw: base) }",
            "\(raw: head) var _typedSlotCount: Int { \(raw: className)._typedSlotBase + \(raw: properties.count) }",
            """
            \(raw: head) var _typedSchema: _TypedSchema {
                \(raw: lines.isEmpty ? "let" : "var") schema = _TypedSchema(entityName: \(raw: stringLiteral(entityName)), \
            type: \(raw: className).self, superclass: \(superclass).self\(raw: schemaSettings))
                \(raw: (lines + ["return schema"]).joined(separator: "\n    "))
            }
            """,
        ]
    }

    /// `_typedKeyPaths`: the key paths of all properties, inherited ones first. They differ for each class that
    /// inherits them. So a class that can have subclasses makes them for any root.
    var keyPathMembers: [DeclSyntax] {
        func list(_ root: String) -> String {
            let own = properties.map { "\\\(root).\($0.identifier)" }.joined(separator: ", ")
            guard inheritsSchema else { return "[\(own)]" }
            return "\(superclass)._typedKeyPaths(rootedAt: \(root).self)" + (properties.isEmpty ? "" : " + [\(own)]")
        }
        if isFinal {
            return ["\(raw: modifiers + override)static var _typedKeyPaths: [AnyKeyPath] { \(raw: list(className)) }"]
        }
        return [
            """
            \(raw: modifiers + override)class var _typedKeyPaths: [AnyKeyPath] { _typedKeyPaths(rootedAt: \(raw: className).self) }
            """,
            """
            \(raw: modifiers)class func _typedKeyPaths<Root: \(raw: className)>(rootedAt root: Root.Type) -> [AnyKeyPath] {
                \(raw: list("Root"))
            }
            """,
        ]
    }
}

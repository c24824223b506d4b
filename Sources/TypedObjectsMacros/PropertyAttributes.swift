import SwiftSyntax
import SwiftSyntaxMacros

/// What `@Managed`, `@Attribute` and `@Relationship` say about one property, as source text.
struct PropertyAttributes {
    private(set) var isManaged = false
    private(set) var storedName: String?
    /// The options of `@Attribute` as written, `.unique` for one.
    private(set) var options: [String] = []
    /// The labelled arguments of `@Relationship`, with the inverse's key path already turned into the property's name.
    private(set) var relationship: [(label: String, value: String)] = []

    init(_ attributes: AttributeListSyntax, reportingTo context: (any MacroExpansionContext)?) {
        for case .attribute(let attribute) in attributes {
            let arguments = attribute.arguments?.as(LabeledExprListSyntax.self) ?? []
            switch attribute.simpleName {
            case "Managed":
                isManaged = true
                readStoredName(from: arguments, context)
            case "Attribute":
                let hasName = readStoredName(from: arguments, context)
                options += arguments.dropFirst(hasName ? 1 : 0).map { $0.expression.trimmedDescription }
            case "Relationship":
                readStoredName(from: arguments, context)
                for argument in arguments {
                    guard let label = argument.label?.text else { continue }
                    relationship.append((label, Self.relationshipValue(argument.expression, label)))
                }
            default: continue
            }
        }
    }

    @discardableResult
    private mutating func readStoredName(
        from arguments: LabeledExprListSyntax, _ context: (any MacroExpansionContext)?
    ) -> Bool {
        guard let first = arguments.first, first.label == nil, let literal = first.expression.as(StringLiteralExprSyntax.self)
        else { return false }
        if let text = literal.representedLiteralValue {
            storedName = text
        } else if let context {
            MacroDiagnostic.storedNameNotLiteral.report(at: literal, in: context)
        }
        return true
    }

    /// An inverse is handed on as the Swift name at the end of its key path; everything else as written.
    private static func relationshipValue(_ expression: ExprSyntax, _ label: String) -> String {
        guard label == "inverse", let keyPath = expression.as(KeyPathExprSyntax.self),
            let property = keyPath.components.last?.component.as(KeyPathPropertyComponentSyntax.self)
        else { return expression.trimmedDescription }
        return stringLiteral(property.declName.baseName.text.filter { $0 != "`" })
    }
}

extension AttributeSyntax {
    /// The attribute's name without a module in front.
    var simpleName: String? {
        attributeName.as(IdentifierTypeSyntax.self)?.name.text ?? attributeName.as(MemberTypeSyntax.self)?.name.text
    }
}

/// Swift source of a string literal with this value.
func stringLiteral(_ value: String) -> String {
    "\"" + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}

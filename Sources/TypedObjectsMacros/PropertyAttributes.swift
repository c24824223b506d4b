import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacros

/// What `@Managed`, `@Attribute`, `@Relationship`, `@FetchedProperty` and `@Ignored` say about one property, as source text.
struct PropertyAttributes {
    private(set) var isManaged = false
    private(set) var isIgnored = false
    private(set) var attribute: AttributeSyntax?
    private(set) var relationshipAttribute: AttributeSyntax?
    private(set) var storedName: String?
    /// The options of `@Attribute` as written, such as `.unique`.
    private(set) var options: [Option] = []
    /// The labelled arguments of `@Relationship`, with the inverse's key path already turned into the property's name.
    private(set) var relationship: [(label: String, value: String)] = []
    private(set) var fetchedAttribute: AttributeSyntax?
    /// The arguments of `@FetchedProperty` without the stored name.
    private(set) var fetch: [(label: String, value: String)] = []

    struct Option {
        /// `unique` of `.unique`, `range` of `.range(1...5)`.
        let name: String
        let expression: ExprSyntax
    }

    init(_ attributes: AttributeListSyntax, reportingTo context: (any MacroExpansionContext)?) {
        for case .attribute(let attribute) in attributes {
            let arguments = attribute.arguments?.as(LabeledExprListSyntax.self) ?? []
            switch attribute.simpleName {
            case "Managed":
                isManaged = true
                readStoredName(from: arguments, context)
            case "Ignored":
                isIgnored = true
            case "Attribute":
                self.attribute = attribute
                let hasName = readStoredName(from: arguments, context)
                options += arguments.dropFirst(hasName ? 1 : 0).map {
                    Option(name: $0.expression.memberName ?? "", expression: $0.expression)
                }
            case "Relationship":
                relationshipAttribute = attribute
                readStoredName(from: arguments, context)
                for argument in arguments {
                    guard let label = argument.label?.text else { continue }
                    if label == "inverse", !argument.expression.namesInverse, let context {
                        MacroDiagnostic.inverseNotLiteral.report(at: argument.expression, in: context)
                    }
                    relationship.append((label, Self.relationshipValue(argument.expression, label)))
                }
            case "FetchedProperty":
                fetchedAttribute = attribute
                for argument in arguments {
                    if argument.label?.text == "storedName" {
                        readStoredName(argument.expression, context)
                    } else {
                        fetch.append((argument.label?.text ?? "format", argument.expression.trimmedDescription))
                    }
                }
            default: continue
            }
        }
    }

    /// The attribute that makes the property more than its type says.
    var annotation: AttributeSyntax? { attribute ?? relationshipAttribute ?? fetchedAttribute }

    func has(_ option: String) -> Bool { options.contains { $0.name == option } }

    /// The property in `@Relationship(inverse:)`; nil if there is none.
    var inverse: String? { relationship.first { $0.label == "inverse" }?.value }

    @discardableResult
    private mutating func readStoredName(
        from arguments: LabeledExprListSyntax, _ context: (any MacroExpansionContext)?
    ) -> Bool {
        guard let first = arguments.first, first.label == nil, first.expression.is(StringLiteralExprSyntax.self)
        else { return false }
        readStoredName(first.expression, context)
        return true
    }

    private mutating func readStoredName(_ expression: ExprSyntax, _ context: (any MacroExpansionContext)?) {
        if let text = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue {
            storedName = text
        } else if let context {
            MacroDiagnostic.storedNameNotLiteral.report(at: expression, in: context)
        }
    }

    /// An inverse becomes the Swift name at the end of its key path. Everything else stays as written.
    private static func relationshipValue(_ expression: ExprSyntax, _ label: String) -> String {
        guard label == "inverse", let name = expression.lastKeyPathComponent else { return expression.trimmedDescription }
        return stringLiteral(name)
    }
}

extension ExprSyntax {
    /// The property's name at the end of a key path.
    var lastKeyPathComponent: String? {
        self.as(KeyPathExprSyntax.self)?.components.last?.component.as(KeyPathPropertyComponentSyntax.self)?.declName.baseName
            .text
            .withoutBackticks
    }

    /// `unique` of `.unique` and of `AttributeOption.unique`, `range` of `.range(1...5)`.
    fileprivate var memberName: String? {
        if let call = self.as(FunctionCallExprSyntax.self) { return call.calledExpression.memberName }
        return self.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    }

    fileprivate var namesInverse: Bool {
        lastKeyPathComponent != nil || self.is(NilLiteralExprSyntax.self)
            || self.as(StringLiteralExprSyntax.self)?.representedLiteralValue != nil
    }
}

extension AttributeSyntax {
    /// The attribute's name without the module.
    var simpleName: String? {
        attributeName.as(IdentifierTypeSyntax.self)?.name.text ?? attributeName.as(MemberTypeSyntax.self)?.name.text
    }
}

extension String {
    var withoutBackticks: String { filter { $0 != "`" } }
}

/// The Swift source of a string literal with this value.
func stringLiteral(_ value: String) -> String {
    "\"" + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}

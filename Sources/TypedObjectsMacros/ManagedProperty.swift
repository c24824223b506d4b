import SwiftSyntax
import SwiftSyntaxMacros

/// A property of an `@Entity` class or a `@Composite` struct, as far as its source text shows.
struct ManagedProperty {
    /// The name as written, with its backticks.
    let identifier: String
    let type: TypeSyntax
    let initialValue: ExprSyntax?
    let access: AccessLevel
    let attributes: PropertyAttributes
    let declaration: VariableDeclSyntax

    var name: String { identifier.withoutBackticks }

    /// The name in the model and the store.
    var storedName: String { attributes.storedName ?? name }

    /// The owner of a property. The rules differ a little.
    enum Owner {
        case entity
        case composite
        /// A class with `@Managed` written by hand, whose attributes are described by a model.
        case managed
    }

    /// The property that a declaration stands for; nil if it is not one of the entity's properties: not a variable, or
    /// computed, static, lazy, weak, ignored or faulty.
    ///
    /// - Parameter context: receives the mistakes; nil for the roles that read the same declaration again.
    init?(
        _ declaration: some DeclSyntaxProtocol, of owner: Owner = .entity, reportingTo context: (any MacroExpansionContext)?
    ) {
        guard let variable = declaration.as(VariableDeclSyntax.self) else { return nil }
        switch Candidate.classify(variable, of: owner) {
        case .notOurs: return nil
        case .mistake(let diagnostic, let node, let fixIts):
            if let context { diagnostic.report(at: node, fixIts: fixIts, in: context) }
            return nil
        case .property(let pattern, let annotation, let initialValue):
            identifier = pattern.identifier.text
            type = annotation.type.trimmed
            self.initialValue = initialValue?.trimmed
            access = AccessLevel(variable.modifiers)
            attributes = PropertyAttributes(variable.attributes, reportingTo: context)
            self.declaration = variable
            if let context {
                PropertyRules(self, pattern: pattern, annotation: annotation, owner: owner).check(reportingTo: context)
            }
        }
    }

    /// The managed properties that a declaration has itself, in source order. Their indices are their places among the
    /// class's own slots.
    static func all(
        in declaration: some DeclGroupSyntax, of owner: Owner = .entity, reportingTo context: (any MacroExpansionContext)?
    ) -> [ManagedProperty] {
        let properties = declaration.memberBlock.members.compactMap {
            ManagedProperty($0.decl, of: owner, reportingTo: context)
        }
        guard let context else { return properties }
        var names: Set<String> = []
        for property in properties where !names.insert(property.storedName).inserted {
            MacroDiagnostic.duplicateStoredName(property.storedName).report(at: property.nameNode, in: context)
        }
        return properties
    }
}

extension ManagedProperty {
    /// Whether nil is one of the property's values.
    var isOptional: Bool { type.isOptional }

    /// Whether the type is spelled as a collection of objects.
    var isToMany: Bool { !isCoded && !isTransformed && !isFetched && type.isCollection }

    /// Whether the type is spelled so that no property of an `@Entity` class can have it.
    var hasUnsupportedType: Bool { !isCoded && !isTransformed && !isFetched && type.withoutOptional.isUnsupported }

    var isCoded: Bool { attributes.has("codable") }
    var isTransformed: Bool { attributes.has("transformable") }
    var isDerived: Bool { attributes.has("derived") }
    var isFetched: Bool { attributes.fetchedAttribute != nil }
    /// Whether only the store gives the property a value.
    var isReadOnly: Bool { isDerived || isFetched }

    /// The node of the name, or of the stored name if one is given.
    fileprivate var nameNode: Syntax {
        for annotation in [attributes.attribute, attributes.relationshipAttribute] {
            if let first = annotation?.arguments?.as(LabeledExprListSyntax.self)?.first, first.label == nil,
                first.expression.is(StringLiteralExprSyntax.self)
            {
                return Syntax(first.expression)
            }
        }
        return declaration.bindings.first.map { Syntax($0.pattern) } ?? Syntax(declaration)
    }

    /// The type as an expression, which can't be `T!`.
    var typeForSchema: String {
        if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return "\(unwrapped.wrappedType.trimmed)?" }
        return type.is(OptionalTypeSyntax.self) || type.is(IdentifierTypeSyntax.self) || type.is(ArrayTypeSyntax.self)
            || type.is(MemberTypeSyntax.self) || type.is(DictionaryTypeSyntax.self) ? type.description : "(\(type))"
    }

    /// The value that a new object gets if none is passed, as source text.
    var defaultArgument: String? {
        if let initialValue { return initialValue.description }
        if isOptional { return "nil" }
        return isToMany ? "[]" : nil
    }

    /// Whether each new object computes its initial value, such as a date. Such a value is not a default that others
    /// could be compared with.
    var isComputed: Bool { !isToMany && !isOptional && initialValue.map { !$0.isConstant } ?? false }

    /// The accessors' function: `_get`, `_getCoded` or `_getTransformed`, and the like for `_set`.
    func accessor(_ verb: String) -> String { "_\(verb)\(isCoded ? "Coded" : isTransformed ? "Transformed" : "")" }

    /// The label before the name in the call of the schema's `add`.
    var schemaLabel: String { isCoded ? "coded: " : isTransformed ? "transformed: " : isFetched ? "fetched: " : "" }

    /// The arguments for the schema's `add`.
    var schemaArguments: String {
        var arguments = [schemaLabel + stringLiteral(name), typeForSchema + ".self"]
        if storedName != name { arguments.append("storedName: \(stringLiteral(storedName))") }
        if isFetched {
            arguments += attributes.fetch.map { "\($0.label): \($0.value)" }
            return arguments.joined(separator: ", ")
        }
        if let initialValue, !initialValue.is(NilLiteralExprSyntax.self) {
            arguments.append(initialValue.isConstant ? "default: \(initialValue)" : "initial: { \(initialValue) }")
        }
        let options = attributes.options.map(\.expression.trimmedDescription)
        if !options.isEmpty { arguments.append("options: [\(options.joined(separator: ", "))]") }
        if !attributes.relationship.isEmpty {
            let list = attributes.relationship.map { setting in
                setting.label == "inverse" && setting.value == "nil" ? "hasNoInverse: true" : "\(setting.label): \(setting.value)"
            }.joined(separator: ", ")
            arguments.append("settings: _RelationshipSettings(\(list))")
        }
        return arguments.joined(separator: ", ")
    }
}

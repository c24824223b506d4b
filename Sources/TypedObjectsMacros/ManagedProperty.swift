import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A property of an `@Entity` class as far as its source text tells.
struct ManagedProperty {
    /// The name as written, with backticks where it has some.
    let identifier: String
    let type: TypeSyntax
    let initialValue: ExprSyntax?
    let access: AccessLevel
    let attributes: PropertyAttributes

    /// The name without backticks.
    var name: String { identifier.filter { $0 != "`" } }

    /// The name in the model and the store.
    var storedName: String { attributes.storedName ?? name }

    /// The property a declaration stands for, or nil where it is none of the entity's: not a variable, computed, static, lazy, weak or faulty.
    ///
    /// - Parameter context: where complaints go; nil keeps quiet, for the roles that look at the same declaration again.
    init?(_ declaration: some DeclSyntaxProtocol, reportingTo context: (any MacroExpansionContext)?) {
        guard let variable = declaration.as(VariableDeclSyntax.self), !variable.isOutsideTheEntity else { return nil }
        let report = { (diagnostic: MacroDiagnostic, node: Syntax, fixIts: [FixIt]) in
            if let context { diagnostic.report(at: node, fixIts: fixIts, in: context) }
        }
        guard variable.bindings.count == 1, let binding = variable.bindings.first,
            let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
        else {
            if variable.bindings.contains(where: { $0.accessorBlock == nil }) {
                report(.severalBindings, Syntax(variable.bindings), [])
            }
            return nil
        }
        let identifier = pattern.identifier.text
        let name = identifier.filter { $0 != "`" }
        if binding.accessorBlock != nil {
            if binding.hasObservers { report(.observedProperty(name: name), Syntax(pattern), []) }
            return nil
        }
        if variable.bindingSpecifier.tokenKind == .keyword(.let) {
            report(.letProperty(name: name), Syntax(variable.bindingSpecifier), [variable.letToReadOnlyVariable])
            return nil
        }
        guard let annotation = binding.typeAnnotation else {
            report(.missingType(name: name), Syntax(pattern), [])
            return nil
        }
        self.identifier = identifier
        type = annotation.type.trimmed
        initialValue = binding.initializer?.value.trimmed
        access = AccessLevel(variable.modifiers)
        attributes = PropertyAttributes(variable.attributes, reportingTo: context)
    }

    /// The managed properties a class declares itself, in source order: their indices are their places among the class's own slots.
    static func all(in declaration: some DeclGroupSyntax, reportingTo context: (any MacroExpansionContext)?) -> [ManagedProperty]
    {
        declaration.memberBlock.members.compactMap { ManagedProperty($0.decl, reportingTo: context) }
    }
}

extension ManagedProperty {
    /// Whether nil is one of the property's values.
    var isOptional: Bool {
        type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) || type.isNamed("Optional")
    }

    /// Whether the type is spelled as a collection of objects.
    var isToMany: Bool { type.is(ArrayTypeSyntax.self) || type.isNamed("Array") || type.isNamed("Set") }

    /// The type as an expression that names it, which `T!` can't be.
    var typeForSchema: String {
        if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return "\(unwrapped.wrappedType.trimmed)?" }
        return type.is(OptionalTypeSyntax.self) || type.is(IdentifierTypeSyntax.self) || type.is(ArrayTypeSyntax.self)
            || type.is(MemberTypeSyntax.self) ? type.description : "(\(type))"
    }

    /// The value that a new object gets where its maker says nothing, as source text.
    var defaultArgument: String? {
        if let initialValue { return initialValue.description }
        if isOptional { return "nil" }
        return isToMany ? "[]" : nil
    }
}

extension ManagedProperty {
    /// What `TypedSchema.add` is to be called with.
    var schemaArguments: String {
        var arguments = [stringLiteral(name), typeForSchema + ".self"]
        if storedName != name { arguments.append("storedName: \(stringLiteral(storedName))") }
        if let initialValue, !initialValue.is(NilLiteralExprSyntax.self) {
            arguments.append(initialValue.isConstant ? "default: \(initialValue)" : "initial: { \(initialValue) }")
        }
        if !attributes.options.isEmpty { arguments.append("options: [\(attributes.options.joined(separator: ", "))]") }
        arguments += attributes.relationship.map { "\($0.label): \($0.value)" }
        return arguments.joined(separator: ", ")
    }
}

extension TypeSyntax {
    fileprivate func isNamed(_ name: String) -> Bool {
        if let identifier = self.as(IdentifierTypeSyntax.self) { return identifier.name.text == name }
        if let member = self.as(MemberTypeSyntax.self) { return member.name.text == name }
        return false
    }
}

extension PatternBindingSyntax {
    fileprivate var hasObservers: Bool {
        guard case .accessors(let accessors) = accessorBlock?.accessors else { return false }
        return accessors.contains {
            [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
        }
    }
}

extension VariableDeclSyntax {
    /// Whether the modifiers say that this is no property of an entity.
    fileprivate var isOutsideTheEntity: Bool {
        modifiers.contains {
            switch $0.name.tokenKind {
            case .keyword(.static), .keyword(.class), .keyword(.lazy), .keyword(.weak), .keyword(.unowned), .keyword(.override):
                true
            default: false
            }
        }
    }

    fileprivate var letToReadOnlyVariable: FixIt {
        let hasSetterLevel = modifiers.contains { $0.detail != nil }
        let replacement: TokenSyntax = hasSetterLevel ? .keyword(.var) : .identifier("private(set) var")
        return FixIt(
            message: MacroFixIt("replace 'let' with 'private(set) var'", id: "letToVar"),
            changes: [
                .replace(
                    oldNode: Syntax(bindingSpecifier),
                    newNode: Syntax(
                        replacement.with(\.leadingTrivia, bindingSpecifier.leadingTrivia)
                            .with(\.trailingTrivia, bindingSpecifier.trailingTrivia)))
            ])
    }
}

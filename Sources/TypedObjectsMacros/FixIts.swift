import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

// The corrections that the macros offer.

extension VariableDeclSyntax {
    private func replaced(by new: VariableDeclSyntax, _ message: String, id: String) -> FixIt {
        FixIt(message: MacroFixIt(message, id: id), changes: [.replace(oldNode: Syntax(self), newNode: Syntax(new))])
    }

    /// The declaration with another attribute before it.
    private func withAttribute(_ text: String) -> VariableDeclSyntax {
        var attribute: AttributeSyntax = "\(raw: text)"
        attribute.trailingTrivia = .space
        var declaration = self.with(\.leadingTrivia, [])
        declaration.attributes = AttributeListSyntax([.attribute(attribute)] + Array(declaration.attributes))
        return declaration.with(\.leadingTrivia, leadingTrivia)
    }

    /// Adds an attribute before the declaration.
    func adding(_ text: String) -> FixIt { replaced(by: withAttribute(text), "add '\(text)'", id: "addAttribute") }

    func removing(_ attribute: AttributeSyntax) -> FixIt {
        var declaration = self
        declaration.attributes = declaration.attributes.filter { $0.as(AttributeSyntax.self)?.id != attribute.id }
        return replaced(
            by: declaration.with(\.leadingTrivia, leadingTrivia), "remove '@\(attribute.simpleName ?? "")'", id: "removeAttribute"
        )
    }

    /// Removes `private(set)` and its like.
    var removingSetterLevel: FixIt {
        var declaration = self
        declaration.modifiers = declaration.modifiers.filter { $0.detail == nil }
        return replaced(
            by: declaration.with(\.leadingTrivia, leadingTrivia), "remove the setter's access level", id: "removeSetterLevel")
    }

    /// Removes `= value`.
    var removingInitialValue: FixIt {
        var declaration = self
        if let index = declaration.bindings.indices.first {
            declaration.bindings[index].initializer = nil
            declaration.bindings[index].typeAnnotation?.type.trailingTrivia = []
        }
        return replaced(
            by: declaration.with(\.trailingTrivia, trailingTrivia), "remove the initial value", id: "removeInitialValue")
    }

    /// Gives the property another name and keeps the stored one.
    func renaming(_ pattern: IdentifierPatternSyntax, to name: String, storedName: String, isStoredNameGiven: Bool) -> FixIt {
        var declaration = self
        if let index = declaration.bindings.indices.first {
            declaration.bindings[index].pattern = PatternSyntax(
                pattern.with(\.identifier, .identifier(name, trailingTrivia: pattern.identifier.trailingTrivia)))
        }
        if !isStoredNameGiven { declaration = declaration.withAttribute("@Attribute(\(stringLiteral(storedName)))") }
        return replaced(by: declaration, "rename to '\(name)', stored as '\(storedName)'", id: "rename")
    }

    /// Replaces `let` by another keyword.
    func replacingLet(by text: String) -> FixIt {
        let hasSetterLevel = modifiers.contains { $0.detail != nil }
        let replacement: TokenSyntax = hasSetterLevel ? .keyword(.var) : .identifier(text)
        return FixIt(
            message: MacroFixIt("replace 'let' with '\(text)'", id: "letToVar"),
            changes: [
                .replace(
                    oldNode: Syntax(bindingSpecifier),
                    newNode: Syntax(
                        replacement.with(\.leadingTrivia, bindingSpecifier.leadingTrivia)
                            .with(\.trailingTrivia, bindingSpecifier.trailingTrivia)))
            ])
    }
}

extension TypeAnnotationSyntax {
    private func replacingType(by text: String, _ message: String) -> FixIt {
        let new: TypeSyntax = "\(raw: text)"
        return FixIt(
            message: MacroFixIt(message, id: "replaceType"),
            changes: [
                .replace(oldNode: Syntax(type), newNode: Syntax(new.with(\.trailingTrivia, type.trailingTrivia)))
            ])
    }

    var makingOptional: FixIt { replacingType(by: "\(type.trimmed)?", "make the type optional") }

    func replacingWholeType(by name: String) -> FixIt { replacingType(by: name, "use '\(name)'") }

    /// Replaces the type by another one, which is optional if the old one was.
    func replacingType(by name: String) -> FixIt {
        replacingType(by: type.isOptional ? name + "?" : name, "use '\(name)'")
    }
}

extension PatternBindingSyntax {
    /// Adds the type that a literal shows.
    var addingType: FixIt? {
        let name: String? =
            switch initializer?.value.kind {
            case .integerLiteralExpr: "Int"
            case .floatLiteralExpr: "Double"
            case .stringLiteralExpr: "String"
            case .booleanLiteralExpr: "Bool"
            default: nil
            }
        guard let name else { return nil }
        let type = TypeAnnotationSyntax(
            colon: .colonToken(trailingTrivia: .space), type: IdentifierTypeSyntax(name: .identifier(name)),
            trailingTrivia: .space)
        let new = self.with(\.pattern.trailingTrivia, []).with(\.typeAnnotation, type)
        return FixIt(
            message: MacroFixIt("add ': \(name)'", id: "addType"),
            changes: [.replace(oldNode: Syntax(self), newNode: Syntax(new))])
    }
}

extension ClassDeclSyntax {
    /// Makes the class inherit from NSManagedObject.
    var addingSuperclass: FixIt {
        let clause = InheritanceClauseSyntax(
            colon: .colonToken(trailingTrivia: .space),
            inheritedTypes: [InheritedTypeSyntax(type: IdentifierTypeSyntax(name: "NSManagedObject"))], trailingTrivia: .space)
        let new = self.with(\.name.trailingTrivia, []).with(\.inheritanceClause, clause)
        return FixIt(
            message: MacroFixIt("inherit from 'NSManagedObject'", id: "addSuperclass"),
            changes: [.replace(oldNode: Syntax(self), newNode: Syntax(new))])
    }
}

extension InheritanceClauseSyntax {
    /// Puts NSManagedObject before the protocols, or replaces another class by it.
    func puttingSuperclassFirst(replacing: Bool) -> FixIt {
        let rest = replacing ? Array(inheritedTypes.dropFirst()) : Array(inheritedTypes)
        let superclass = InheritedTypeSyntax(
            type: IdentifierTypeSyntax(name: "NSManagedObject"),
            trailingComma: rest.isEmpty ? nil : .commaToken(trailingTrivia: .space))
        let new = self.with(\.inheritedTypes, InheritedTypeListSyntax([superclass] + rest)).with(\.trailingTrivia, trailingTrivia)
        return FixIt(
            message: MacroFixIt("inherit from 'NSManagedObject'", id: "superclassFirst"),
            changes: [.replace(oldNode: Syntax(self), newNode: Syntax(new))])
    }
}

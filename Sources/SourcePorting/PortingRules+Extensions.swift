import SwiftSyntax

extension PortingRules {
    /// Without Objective-C an extension can't override anything. An extension that does so becomes part of its class,
    /// if it follows the class with only other extensions of the class between them. Only braces are removed, and no
    /// line moves.
    mutating func mergeOverridingExtensions(_ items: CodeBlockItemListSyntax) {
        var current: ClassDeclSyntax?
        var run: [ExtensionDeclSyntax] = []
        for item in items {
            if let current, let next = Self.plainExtension(of: current, item) {
                run.append(next)
                continue
            }
            merge(run, into: current)
            run = []
            current = item.item.as(ClassDeclSyntax.self)
        }
        merge(run, into: current)
    }

    private mutating func merge(_ run: [ExtensionDeclSyntax], into declaration: ClassDeclSyntax?) {
        guard let declaration, let inherited = declaration.inheritanceClause?.inheritedTypes.last,
            let last = run.lastIndex(where: Self.overrides)
        else { return }
        var brace = declaration.memberBlock.rightBrace
        for next in run[...last] {
            edits.removeExactly(brace.textRange)
            edits.removeExactly(next.extensionKeyword.textRange.lowerBound..<next.memberBlock.leftBrace.textRange.upperBound)
            for conformance in next.inheritanceClause?.inheritedTypes ?? [] {
                edits.insert(", \(source[conformance.type.textRange])", at: inherited.type.textRange.upperBound)
            }
            mergedExtensions.insert(next.id)
            brace = next.memberBlock.rightBrace
        }
        edits.count(.overridingExtension)
    }

    private static func overrides(_ declaration: ExtensionDeclSyntax) -> Bool {
        declaration.memberBlock.members.contains {
            $0.decl.asProtocol((any WithModifiersSyntax).self)?.modifiers.named("override") != nil
        }
    }

    /// An extension whose members would mean the same inside the class: it has no attribute, no access level and no
    /// condition.
    private static func plainExtension(of declaration: ClassDeclSyntax, _ item: CodeBlockItemSyntax) -> ExtensionDeclSyntax? {
        guard let next = item.item.as(ExtensionDeclSyntax.self), next.attributes.isEmpty, next.modifiers.isEmpty,
            next.genericWhereClause == nil, next.extendedType.as(IdentifierTypeSyntax.self)?.name.text == declaration.name.text,
            declaration.genericParameterClause == nil
        else { return nil }
        return next
    }
}

import SwiftSyntax

extension PortingRules {
    /// `@objc`, `@objc(…)` and `@objcMembers` are removed, except on enumerations, where they mean something on all
    /// systems.
    mutating func portAttribute(_ attribute: AttributeSyntax) -> Bool {
        guard let name = attribute.plainName, name == "objc" || name == "objcMembers" else { return true }
        let declaration = declaration(of: attribute)
        if declaration?.kind == .enumDecl || declaration?.kind == .enumCaseDecl { return false }
        edits.remove(attribute.textRange)
        edits.count(.objectiveCAttribute)
        return false
    }

    mutating func portModifier(_ modifier: DeclModifierSyntax) {
        switch modifier.name.text {
        case "dynamic":
            guard let attributes = attributes(of: modifier) else { return }
            let isObjectiveC = attributes.named("objc") != nil || attributes.named("NSManaged") != nil
            guard isObjectiveC || scopes.last?.hasObjectiveCMembers == true else { return }
            edits.remove(modifier.textRange)
            edits.count(.dynamicModifier)
        case "optional":
            say(
                .warning, at: modifier,
                "an optional requirement needs Objective-C: require it, with a default in an extension of the protocol")
        case "override":
            guard scopes.last?.isExtension == true else { return }
            say(
                .warning, at: modifier,
                "overriding in an extension needs Objective-C: move it into the class, or the extension directly after the class")
        default: break
        }
    }

    /// A protocol with `@objc` can only be adopted by classes.
    mutating func portProtocol(_ declaration: ProtocolDeclSyntax) {
        guard declaration.attributes.named("objc") != nil else { return }
        let isForObjects = declaration.inheritanceClause?.inheritedTypes.contains { inherited in
            inherited.type.as(IdentifierTypeSyntax.self).map {
                ["AnyObject", "class", "NSObjectProtocol"].contains($0.name.text)
            }
                ?? inherited.type.is(ClassRestrictionTypeSyntax.self)
        }
        guard isForObjects != true else { return }
        if let colon = declaration.inheritanceClause?.colon {
            edits.insert(" AnyObject,", at: colon.textRange.upperBound)
        } else {
            edits.insert(": AnyObject", at: declaration.name.textRange.upperBound)
        }
        edits.count(.objectProtocol)
    }

    private func declaration(of node: some SyntaxProtocol) -> Syntax? {
        var parent = node.parent
        while let node = parent, !node.isProtocol((any DeclSyntaxProtocol).self) || node.kind == .ifConfigDecl {
            parent = node.parent
        }
        return parent
    }

    private func attributes(of modifier: DeclModifierSyntax) -> AttributeListSyntax? {
        let declaration = declaration(of: modifier)?.asProtocol((any WithAttributesSyntax).self)
        return declaration?.attributes
    }
}

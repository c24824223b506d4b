import SwiftSyntax

/// A class, structure, enumeration, actor, protocol or extension.
struct TypeDeclaration {
    let name: String
    let isExtension: Bool
    let isClassOrExtension: Bool
    let attributes: AttributeListSyntax
    let modifiers: DeclModifierListSyntax
    let inheritedNames: [String]
    /// The offset of its name.
    let offset: Int

    init?(_ node: Syntax) {
        let nameToken: TokenSyntax
        let inheritance: InheritanceClauseSyntax?
        switch node.kind {
        case .classDecl:
            guard let node = node.as(ClassDeclSyntax.self) else { return nil }
            (nameToken, attributes, modifiers, inheritance) = (node.name, node.attributes, node.modifiers, node.inheritanceClause)
        case .structDecl:
            guard let node = node.as(StructDeclSyntax.self) else { return nil }
            (nameToken, attributes, modifiers, inheritance) = (node.name, node.attributes, node.modifiers, node.inheritanceClause)
        case .enumDecl:
            guard let node = node.as(EnumDeclSyntax.self) else { return nil }
            (nameToken, attributes, modifiers, inheritance) = (node.name, node.attributes, node.modifiers, node.inheritanceClause)
        case .actorDecl:
            guard let node = node.as(ActorDeclSyntax.self) else { return nil }
            (nameToken, attributes, modifiers, inheritance) = (node.name, node.attributes, node.modifiers, node.inheritanceClause)
        case .protocolDecl:
            guard let node = node.as(ProtocolDeclSyntax.self) else { return nil }
            (nameToken, attributes, modifiers, inheritance) = (node.name, node.attributes, node.modifiers, node.inheritanceClause)
        case .extensionDecl:
            guard let node = node.as(ExtensionDeclSyntax.self) else { return nil }
            (attributes, modifiers, inheritance) = (node.attributes, node.modifiers, node.inheritanceClause)
            // The last name of `Outer.Inner`.
            guard
                let last = node.extendedType.as(IdentifierTypeSyntax.self)?.name
                    ?? node.extendedType.as(MemberTypeSyntax.self)?.name
            else { return nil }
            nameToken = last
        default: return nil
        }
        name = nameToken.text.withoutBackticks
        offset = nameToken.positionAfterSkippingLeadingTrivia.utf8Offset
        isExtension = node.kind == .extensionDecl
        isClassOrExtension = isExtension || node.kind == .classDecl
        inheritedNames = (inheritance?.inheritedTypes ?? []).compactMap { $0.type.as(IdentifierTypeSyntax.self)?.name.text }
    }

    /// The access level, if it is written.
    var access: String? { modifiers.access?.name.text }
}

extension DeclModifierListSyntax {
    private static let accessLevels: Set<String> = ["open", "public", "package", "internal", "fileprivate", "private"]

    /// The modifier for all accesses, and not one for setting alone.
    var access: DeclModifierSyntax? { first { Self.accessLevels.contains($0.name.text) && $0.detail == nil } }

    func named(_ name: String) -> DeclModifierSyntax? { first { $0.name.text == name } }
}

extension AttributeListSyntax {
    /// The attribute with a name, also if it is under `#if`.
    func named(_ name: String) -> AttributeSyntax? {
        for element in self {
            if let attribute = element.as(AttributeSyntax.self) {
                if attribute.plainName == name { return attribute }
                continue
            }
            for clause in element.as(IfConfigDeclSyntax.self)?.clauses ?? [] {
                guard case .attributes(let attributes)? = clause.elements else { continue }
                for inner in attributes {
                    if let attribute = inner.as(AttributeSyntax.self), attribute.plainName == name { return attribute }
                }
            }
        }
        return nil
    }

    /// The name in `@objc(…)`, without blanks.
    var objectiveCName: String? {
        guard let pieces = named("objc")?.arguments?.as(ObjCSelectorPieceListSyntax.self), !pieces.isEmpty else { return nil }
        return pieces.map { ($0.name?.text.withoutBackticks ?? "") + ($0.colon?.text ?? "") }.joined()
    }
}

extension AttributeSyntax {
    /// The name, if it has one part.
    var plainName: String? { attributeName.as(IdentifierTypeSyntax.self)?.name.text }
}

extension SyntaxProtocol {
    /// The range of the node's text, without the blanks and comments around it.
    var textRange: Range<Int> {
        let start = positionAfterSkippingLeadingTrivia.utf8Offset
        return start..<max(start, endPositionBeforeTrailingTrivia.utf8Offset)
    }
}

extension CollectionAccessor {
    /// Reads a declaration; nil if it is not of the form.
    init?(_ function: FunctionDeclSyntax) {
        guard function.body == nil, function.genericParameterClause == nil, function.signature.returnClause == nil,
            function.signature.effectSpecifiers == nil
        else { return nil }
        let parameters = function.signature.parameterClause.parameters.enumerated().map { index, parameter in
            let name = parameter.name.text == "_" ? Self.nameOfUnnamed(index) : parameter.name.text
            return Parameter(label: parameter.firstName.text.withoutBackticks, name: name, type: "\(parameter.type.trimmed)")
        }
        self.init(
            baseName: function.name.text.withoutBackticks, selector: function.attributes.objectiveCName, parameters: parameters)
    }
}

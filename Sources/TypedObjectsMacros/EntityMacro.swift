import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Entity`: turns the stored properties of a class into managed ones and gives the class its schema and initializer.
///
/// Only the member role reports mistakes, so that each is reported once.
enum EntityMacro {}

extension EntityMacro: MemberAttributeMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [AttributeSyntax] {
        guard EntityClass(declaration) != nil, let property = ManagedProperty(member, reportingTo: nil),
            !property.attributes.isManaged,
            let slot = ManagedProperty.all(in: declaration, reportingTo: nil).firstIndex(where: { $0.name == property.name })
        else { return [] }
        return ["@Managed(_slot: \(raw: slot))"]
    }
}

extension EntityMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        guard declaration.is(ClassDeclSyntax.self) else {
            MacroDiagnostic.entityNotOnClass.report(at: declaration.introducer, in: context)
            return []
        }
        guard var entity = EntityClass(declaration) else {
            let name = declaration.as(ClassDeclSyntax.self)?.name ?? declaration.introducer
            MacroDiagnostic.entityWithoutSuperclass(className: name.text).report(
                at: name, fixIts: declaration.as(ClassDeclSyntax.self).map { [$0.addingSuperclass] } ?? [], in: context)
            return []
        }
        guard checkClass(entity, declaration, in: context) else { return [] }
        entity.inheritsSchema = protocols.isEmpty
        for argument in node.arguments?.as(LabeledExprListSyntax.self) ?? [] {
            if let label = argument.label?.text {
                entity.settings.append((label, argument.expression.trimmedDescription))
            } else if let name = argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue {
                entity.entityName = name
            } else {
                MacroDiagnostic.entityNameNotLiteral.report(at: argument.expression, in: context)
            }
        }
        entity.groups = groups(in: declaration, reportingTo: context)
        entity.properties = ManagedProperty.all(in: declaration, reportingTo: context)
        entity.reportMissingInverses(in: context)
        let initializers = [entity.initializer(besides: declaration), entity.silencingInitializer(besides: declaration)]
        return entity.schemaMembers + entity.keyPathMembers + initializers.compactMap(\.self)
    }

    /// Protocols and classes that are sometimes mistaken for a superclass.
    private static let otherSupertypes: Set<String> = [
        "NSObject", "Codable", "Decodable", "Encodable", "Hashable", "Equatable", "Identifiable", "Sendable", "ObservableObject",
        "CustomStringConvertible", "Comparable", "AnyObject",
    ]

    private static func checkClass(
        _ entity: EntityClass, _ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext
    ) -> Bool {
        guard let declaration = declaration.as(ClassDeclSyntax.self) else { return false }
        if let parameters = declaration.genericParameterClause {
            MacroDiagnostic.genericEntity(className: entity.entityName).report(at: parameters, in: context)
            return false
        }
        if let name = entity.superclass.typeName, otherSupertypes.contains(name), let clause = declaration.inheritanceClause {
            MacroDiagnostic.wrongSuperclass(name, className: entity.entityName).report(
                at: clause.inheritedTypes.first.map { Syntax($0.type) } ?? Syntax(clause),
                fixIts: [clause.puttingSuperclassFirst(replacing: name == "NSObject")], in: context)
            return false
        }
        return true
    }

    /// The groups of `#Unique` and `#Index` in the class's body.
    private static func groups(
        in declaration: some DeclGroupSyntax, reportingTo context: some MacroExpansionContext
    ) -> [(label: String, names: [String])] {
        declaration.memberBlock.members.flatMap { member -> [(label: String, names: [String])] in
            guard let expansion = member.decl.as(MacroExpansionDeclSyntax.self),
                let label = ["Unique": "uniqueness", "Index": "indexes"][expansion.macroName.text]
            else { return [] }
            return expansion.arguments.compactMap { argument in
                let names = argument.expression.as(ArrayExprSyntax.self)?.elements.map(\.expression.lastKeyPathComponent)
                guard let names, !names.isEmpty, !names.contains(nil) else {
                    MacroDiagnostic.groupNotKeyPaths(expansion.macroName.text).report(at: argument.expression, in: context)
                    return nil
                }
                return (label, names.compactMap(\.self))
            }
        }
    }
}

extension EntityMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard EntityClass(declaration) != nil, !protocols.isEmpty else { return [] }
        return [try ExtensionDeclSyntax("extension \(type.trimmed): TypedObject {}")]
    }
}

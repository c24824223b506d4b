import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Entity`: turns the stored properties of a class into managed ones and gives the class its schema and initializer.
///
/// Complaints come from the member role alone, so that each is heard once.
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
        return ["@Managed(slot: \(raw: slot))"]
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
            MacroDiagnostic.entityWithoutSuperclass(className: name.text).report(at: name, in: context)
            return []
        }
        entity.inheritsSchema = protocols.isEmpty
        if let argument = node.arguments?.as(LabeledExprListSyntax.self)?.first {
            if let name = argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue {
                entity.entityName = name
            } else {
                MacroDiagnostic.entityNameNotLiteral.report(at: argument.expression, in: context)
            }
        }
        entity.properties = ManagedProperty.all(in: declaration, reportingTo: context)
        return entity.schemaMembers + [entity.initializer(besides: declaration)].compactMap(\.self)
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

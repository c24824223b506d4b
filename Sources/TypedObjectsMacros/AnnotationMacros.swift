import SwiftSyntax
import SwiftSyntaxMacros

/// `@Attribute`: only says something about a property; `@Entity` and `@Managed` read it.
enum AttributeMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) -> [DeclSyntax] { [] }
}

/// `@Relationship`: only says something about a property; `@Entity` and `@Managed` read it.
enum RelationshipMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) -> [DeclSyntax] { [] }
}

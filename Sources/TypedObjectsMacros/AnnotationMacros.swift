import SwiftSyntax
import SwiftSyntaxMacros

/// A macro that only annotates a property. `@Entity`, `@Composite` and `@Managed` read the annotation.
protocol AnnotationMacro: PeerMacro {}

extension AnnotationMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) -> [DeclSyntax] { [] }
}

enum AttributeMacro: AnnotationMacro {}
enum RelationshipMacro: AnnotationMacro {}
enum IgnoredMacro: AnnotationMacro {}
enum FetchedPropertyMacro: AnnotationMacro {}

/// `#Unique` and `#Index`: `@Entity` reads them.
enum GroupMacro: DeclarationMacro {
    static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) -> [DeclSyntax] { [] }
}

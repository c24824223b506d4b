import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@ManagedActor`: lets an actor run on a context's queue.
enum ManagedActorMacro: MemberMacro, ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let actor = declaration.as(ActorDeclSyntax.self) else {
            let fixIts = declaration.as(ClassDeclSyntax.self).map { [$0.makingActor] } ?? []
            MacroDiagnostic.managedActorNotOnActor.report(at: declaration.introducer, fixIts: fixIts, in: context)
            return []
        }
        let access = min(AccessLevel(actor.modifiers), .public).modifier
        var members: [DeclSyntax] = [
            """
            /// The context that the actor works with, on whose queue its code runs.
            \(raw: access)nonisolated let managedObjectContext: NSManagedObjectContext
            """,
            """
            /// The context's queue.
            \(raw: access)nonisolated var unownedExecutor: UnownedSerialExecutor { managedObjectContext.unownedExecutor }
            """,
        ]
        let hasInitializer = actor.memberBlock.members.contains { $0.decl.is(InitializerDeclSyntax.self) }
        guard !hasInitializer else { return members }
        for binding in actor.storedProperties where binding.needsValue {
            MacroDiagnostic.managedActorValue(name: binding.pattern.trimmedDescription, actor: actor.name.text)
                .report(at: binding.pattern, in: context)
        }
        members += [
            """
            /// Makes an actor that works with a context.
            \(raw: access)init(context: NSManagedObjectContext) {
                managedObjectContext = context
            }
            """,
            """
            /// Makes an actor that works with a new background context of a container.
            \(raw: access)init(container: NSPersistentContainer) {
                self.init(context: container.newBackgroundContext())
            }
            """,
        ]
        return members
    }

    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard declaration.is(ActorDeclSyntax.self), !protocols.isEmpty else { return [] }
        return [try ExtensionDeclSyntax("extension \(type.trimmed): ManagedObjectActor {}")]
    }
}

extension ActorDeclSyntax {
    fileprivate var storedProperties: [(pattern: PatternSyntax, needsValue: Bool)] {
        memberBlock.members.flatMap { member -> [(pattern: PatternSyntax, needsValue: Bool)] in
            guard let variable = member.decl.as(VariableDeclSyntax.self) else { return [] }
            let isStatic = variable.modifiers.contains { $0.name.tokenKind == .keyword(.static) }
            let isConstant = variable.bindingSpecifier.tokenKind == .keyword(.let)
            guard !isStatic else { return [] }
            return variable.bindings.map { binding in
                let isComputed = binding.accessorBlock.map { !$0.isObserver } ?? false
                let isNil = !isConstant && binding.typeAnnotation?.type.isOptional == true
                return (binding.pattern, binding.initializer == nil && !isComputed && !isNil)
            }
        }
    }
}

extension AccessorBlockSyntax {
    /// Whether there are only `willSet` and `didSet`.
    fileprivate var isObserver: Bool {
        guard case .accessors(let list) = accessors else { return false }
        return list.allSatisfy { [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind) }
    }
}

extension ClassDeclSyntax {
    fileprivate var makingActor: FixIt {
        FixIt(
            message: MacroFixIt("make it an actor", id: "makeActor"),
            changes: [.replace(oldNode: Syntax(classKeyword), newNode: Syntax(classKeyword.with(\.tokenKind, .keyword(.actor))))])
    }
}

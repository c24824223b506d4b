import SwiftSyntaxMacros

#if canImport(SwiftCompilerPlugin)
    import SwiftCompilerPlugin
#else
    @_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
#endif

/// The compiler plugin's entry point: the list of macros it offers.
struct TypedObjectsPlugin {
    let providingMacros: [any Macro.Type] = [
        EntityMacro.self, ManagedMacro.self, AttributeMacro.self, RelationshipMacro.self, IgnoredMacro.self, CompositeMacro.self,
        GroupMacro.self, FetchedPropertyMacro.self, ManagedActorMacro.self,
    ]
}

#if canImport(SwiftCompilerPlugin)
    @main
    struct Main: CompilerPlugin {
        let providingMacros = TypedObjectsPlugin().providingMacros
    }
#else
    extension TypedObjectsPlugin: PluginProvider {
        func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
            guard let macro = providingMacros.first(where: { "\($0)" == typeName }) else {
                throw UnknownMacro(description: "\(moduleName).\(typeName) is not a macro of this plugin")
            }
            return macro
        }
    }

    private struct UnknownMacro: Error, CustomStringConvertible {
        let description: String
    }

    @main
    struct Main {
        static func main() throws {
            let connection = try StandardIOMessageConnection()
            try CompilerPluginMessageListener(connection: connection, provider: TypedObjectsPlugin()).main()
        }
    }
#endif

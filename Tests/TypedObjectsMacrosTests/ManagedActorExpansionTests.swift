import Testing

@Suite("@ManagedActor writes what an actor needs to run on a context's queue")
struct ManagedActorExpansionTests {
    @Test("context, executor, initializers and conformance; access follows the actor")
    func expansion() {
        let expansion = Expansion(
            """
            @ManagedActor public actor Library {
                var count = 0
            }
            """)
        #expect(expansion.diagnostics == [])
        #expect(
            expansion.source == """
                public actor Library {
                    var count = 0

                    /// The context that the actor works with, on whose queue its code runs.
                    public nonisolated let managedObjectContext: NSManagedObjectContext

                    /// The context's queue.
                    public nonisolated var unownedExecutor: UnownedSerialExecutor {
                        managedObjectContext.unownedExecutor
                    }

                    /// Makes an actor that works with a context.
                    public init(context: NSManagedObjectContext) {
                        managedObjectContext = context
                    }

                    /// Makes an actor that works with a new background context of a container.
                    public init(container: NSPersistentContainer) {
                        self.init(context: container.newBackgroundContext())
                    }
                }

                extension Library: ManagedObjectActor {
                }
                """)
    }

    @Test("an actor with an initializer of its own gets none")
    func ownInitializer() {
        let expansion = Expansion(
            "@ManagedActor actor Library {\n    let name: String\n    init(name: String) { self.name = name }\n}")
        #expect(expansion.diagnostics == [])
        #expect(!expansion.source.contains("init(context"))
    }

    @Test("anything but an actor is refused, with the correction for a class")
    func notAnActor() {
        let expansion = Expansion("@ManagedActor final class Library {\n}")
        #expect(expansion.diagnostics == ["1:21: @ManagedActor belongs on an actor"])
        #expect(expansion.fixIts == ["make it an actor"])
        #expect(expansion.corrected == ["@ManagedActor final actor Library {\n}"])
        #expect(Expansion("@ManagedActor struct Library {\n}").diagnostics == ["1:15: @ManagedActor belongs on an actor"])
    }

    @Test("a stored property without a value needs an initializer")
    func missingValues() {
        let expansion = Expansion(
            "@ManagedActor actor Library {\n    let name: String\n    var note: String?\n    var size: Int { 1 }\n    static let all: Int\n}"
        )
        #expect(
            expansion.diagnostics == [
                "2:9: 'name' needs an initial value, or 'Library' an initializer of its own, which sets 'managedObjectContext' too"
            ])
    }
}

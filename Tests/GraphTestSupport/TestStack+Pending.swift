package import ObjectGraph
import Testing

extension TestStack {
    /// Saved alpha 22, bravo 25, charlie 10; pending: alpha → 5, charlie → 21, bravo deleted, inserted delta 30, echo 40.
    package static func pending(_ kind: StackKind, _ body: (NSManagedObjectContext) throws -> Void) throws {
        try people(kind).run { context throws in
            for (name, age) in [("alpha", 22), ("bravo", 25), ("charlie", 10)] {
                context.make("Person", ["name": name, "age": age])
            }
            try context.save()
            try context.named("alpha", "Person").set("age", 5)
            try context.named("charlie", "Person").set("age", 21)
            context.delete(try context.named("bravo", "Person"))
            for (name, age) in [("delta", 30), ("echo", 40)] { context.make("Person", ["name": name, "age": age]) }
            try body(context)
        }
    }
}

import GraphTestSupport
import ObjectGraph
import Testing

/// A context on a store, its child, and the child of that.
final class Family {
    let stack: TestStack
    let root: NSManagedObjectContext
    let middle: NSManagedObjectContext
    let child: NSManagedObjectContext

    /// - Parameter fill: makes objects in the root, which are saved afterwards.
    init(
        _ kind: StackKind = .inMemory, rootType: NSManagedObjectContext.ConcurrencyType = .privateQueue,
        at location: SourceLocation = #_sourceLocation, _ fill: (NSManagedObjectContext) throws -> Void = { _ in }
    ) throws {
        stack = try TestStack.people(kind)
        root = stack.newContext(rootType)
        middle = NSManagedObjectContext(.privateQueue)
        middle.parent = root
        child = NSManagedObjectContext(.privateQueue)
        child.parent = middle
        try root.run(at: location) { context throws in
            try fill(context)
            try context.save()
        }
    }

    var contexts: [NSManagedObjectContext] { [root, middle, child] }

    /// Saves in a context and all above it.
    func save(from context: NSManagedObjectContext, at location: SourceLocation = #_sourceLocation) throws {
        var next: NSManagedObjectContext? = context
        while let context = next {
            try context.run(at: location) { try $0.save() }
            next = context.parent
        }
    }

    /// Another child of the root.
    func sibling() -> NSManagedObjectContext {
        let sibling = NSManagedObjectContext(.privateQueue)
        sibling.parent = root
        return sibling
    }

    /// The object with a name, its values loaded, in one of the contexts.
    func object(_ name: String, _ entity: String = "Person", in context: NSManagedObjectContext) throws -> Recorder {
        try context.run { try $0.named(name, entity) }
    }
}

extension NSManagedObjectContext {
    /// The names of the objects of an entity that a fetch finds, sorted.
    func fetchedNames(_ entity: String = "Person", at location: SourceLocation = #_sourceLocation) throws -> [String?] {
        try run(at: location) { try $0.all(entity).map { $0.text("name") } }
    }
}

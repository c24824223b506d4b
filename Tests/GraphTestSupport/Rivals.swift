package import DataModel
package import Foundation
package import ObjectGraph
import TestSupport
package import Testing

/// How the second of two contexts that change the same rows is attached to the store.
package enum RivalAttachment: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case sameCoordinator
    /// A coordinator of its own on the same file, as another process would have.
    case otherCoordinator

    package var testDescription: String { rawValue }
}

/// Two contexts that have both read the same objects, in order to change them both.
package final class Rivals {
    package let stack: TestStack
    private let otherStack: TestStack?
    /// What can be: no second coordinator sees what is in memory.
    package static let places: [(StackKind, RivalAttachment)] =
        StackKind.allCases.map { ($0, .sameCoordinator) } + [(.sqlite, .otherCoordinator)]
    package let first: NSManagedObjectContext
    package let second: NSManagedObjectContext

    /// - Parameters:
    ///   - policy: the policy of the second context.
    ///   - fill: makes the objects in the first context; they are saved afterwards.
    package init(
        _ kind: StackKind, _ model: NSManagedObjectModel = People.model(), policy: NSMergePolicy = .error,
        attachment: RivalAttachment = .sameCoordinator, at location: SourceLocation = #_sourceLocation,
        _ fill: (NSManagedObjectContext) throws -> Void = { _ = $0.make("Person", ["name": "Alice", "age": 10]) }
    ) throws {
        stack = try TestStack(kind, model)
        first = stack.context
        otherStack = attachment == .otherCoordinator ? try stack.reopened() : nil
        second = otherStack?.context ?? stack.newContext()
        second.mergePolicy = policy
        try first.run(at: location) { context in
            try fill(context)
            try context.save()
        }
    }

    /// The object with a name, its values loaded, in one of the contexts.
    package func object(_ name: String = "Alice", _ entity: String = "Person", in context: NSManagedObjectContext) throws
        -> Recorder
    {
        let object = try context.run { try $0.named(name, entity) }
        return object
    }

    /// Changes the object of a name in the first context, and saves.
    package func saveInFirst(_ name: String = "Alice", _ entity: String = "Person", _ change: (Recorder) throws -> Void) throws {
        try first.run { context in
            try change(context.named(name, entity))
            try context.save()
        }
    }

    /// What a third context reads.
    package func stored<T>(at location: SourceLocation = #_sourceLocation, _ body: (NSManagedObjectContext) throws -> T) throws
        -> T
    {
        try stack.fresh(at: location, body)
    }

    /// The names and ages of all persons as a third context reads them, by name.
    package func people() throws -> [String: Int?] {
        try stored { context in
            Dictionary(
                try context.all("Person").map { ($0.text("name") ?? "", $0.number("age")) },
                uniquingKeysWith: { first, _ in first })
        }
    }
}

extension NSError {
    package var mergeConflicts: [NSMergeConflict] { userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? [] }
    package var constraintConflicts: [NSConstraintConflict] {
        userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict] ?? []
    }
}

/// The error that a body throws.
package func thrownError(at location: SourceLocation = #_sourceLocation, _ body: () throws -> Void) throws -> NSError {
    let error = #expect(throws: (any Error).self, sourceLocation: location) { try body() }
    return try #require(error as NSError?, sourceLocation: location)
}

extension NSManagedObjectContext {
    /// As `run`, without a check of the graph: for contexts that hold values of different times.
    package func runUnchecked<T>(_ body: () throws -> T) throws -> T {
        // The test waits meanwhile, so nothing captured is used elsewhere.
        nonisolated(unsafe) let body = body
        return try performAndWait { try body() }
    }
}

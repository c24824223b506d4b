public import Foundation
public import OpenCoreData

/// A contradiction between a context's objects and the model, or among the objects.
public struct GraphProblem: Hashable, Sendable, CustomStringConvertible {
    /// The name of the object's entity.
    public let entityName: String
    /// The object's ID as a URL.
    public let objectURL: URL
    /// The property, or the properties of a constraint with commas between them; nil if it is the whole object.
    public let property: String?
    /// A description of the problem.
    public let reason: String

    /// Object, property and reason.
    public var description: String {
        "\(entityName)\(property.map { "." + $0 } ?? "") of <\(objectURL.absoluteString)>: \(reason)"
    }

    init(_ object: NSManagedObject, _ property: String?, _ reason: String) {
        entityName = object.entity.name ?? ""
        objectURL = object.objectID.uriRepresentation()
        self.property = property
        self.reason = reason
    }
}

/// Reads everything in a context's stores, unsaved changes included, and reports what is not consistent.
///
/// - Both sides of each relationship agree, and no relationship leads to an object that is deleted or missing.
/// - All objects are valid: required values and destinations are there, limits and counts hold. The objects' own
///   `validateForInsert()` and `validateForUpdate()` are called.
/// - Uniqueness constraints hold. As in a store, nil is not equal to any value, and texts are compared byte by byte.
///
/// All objects of the stores are loaded, so use it with the small stores of tests. Call it on the context's queue.
///
/// - Parameter context: the context. Its pending changes are processed.
/// - Returns: the problems, by entity and object; empty if there are none.
/// - Throws: the errors of reading, or a ``TestSupportError`` for a context without stores.
public func graphProblems(in context: NSManagedObjectContext) throws -> [GraphProblem] {
    var checker = try GraphChecker(context)
    return checker.check()
}

/// Throws if something in a context's stores is not consistent; see ``graphProblems(in:)``.
///
/// - Throws: a ``TestSupportError`` that lists all problems.
public func checkGraph(in context: NSManagedObjectContext) throws {
    let problems = try graphProblems(in: context)
    guard !problems.isEmpty else { return }
    throw TestSupportError("The objects are not consistent:\n" + problems.map { "  \($0)" }.joined(separator: "\n"))
}

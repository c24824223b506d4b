import Foundation
import OpenCoreData

/// Something in a context's objects that contradicts the model or itself.
public struct GraphProblem: Hashable, Sendable, CustomStringConvertible {
    /// The name of the object's entity.
    public let entityName: String
    /// The object's ID as a URL.
    public let objectURL: URL
    /// The property, or the properties of a constraint with commas between them; nil if it is the whole object.
    public let property: String?
    /// What is the matter.
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

/// Reads everything in a context's stores, unsaved changes included, and tells what is not consistent.
///
/// - Both sides of each relationship agree, and no relationship leads to an object that is deleted or not there.
/// - Nothing fails to be valid: required values and destinations are there, limits and counts hold. The objects' own `validateForInsert()` and `validateForUpdate()` are called.
/// - Uniqueness constraints hold. As in a store, values that are nil are equal to nothing, and texts are compared byte by byte.
///
/// All objects of the stores are loaded: this is for the small stores of tests. Call it on the context's queue.
///
/// - Parameter context: the context. Its pending changes are processed.
/// - Returns: the problems, by entity and object; empty if all is well.
/// - Throws: what reading throws, or a ``TestSupportError`` for a context without stores.
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

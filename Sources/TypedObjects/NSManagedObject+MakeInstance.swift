import DataModel
import Foundation
public import FoundationGaps
public import ObjectGraph

extension _ClassCluster where Self: NSManagedObject {
    /// Inserts a new object of the class into a context.
    ///
    /// ```swift
    /// let movie = Movie.makeInstance(in: context)
    /// ```
    ///
    /// Call it on the context's queue. If the model has no entity for the class, the program stops.
    ///
    /// - Parameter context: The context for the new object.
    /// - Returns: The object, with the model's default values.
    public static func makeInstance(in context: NSManagedObjectContext) -> Self {
        let fault = context._beginInsertion()
        defer { context._endInsertion(fault) }
        return Self(entity: context.entityDescription(for: Self.self), insertInto: Optional(context))
    }
}

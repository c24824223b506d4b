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
    /// Call it on the context's queue. A model that has no entity for the class is a programmer error and stops the program.
    ///
    /// - Parameter context: the context that owns the new object.
    /// - Returns: the object, with the model's default values.
    public static func makeInstance(in context: NSManagedObjectContext) -> Self {
        let fault = context._beginInsertion()
        defer { context._endInsertion(fault) }
        return Self(entity: context.entityDescription(for: Self.self), insertInto: Optional(context))
    }
}

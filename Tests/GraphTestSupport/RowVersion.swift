import Storage

@testable package import ObjectGraph

extension NSManagedObject {
    /// The version for optimistic locking of the row at hand; nil for a fault without row.
    package var rowVersion: Int64? { row?.version }
}

/// What an engine tells about a violated uniqueness constraint, in the user info of its
/// `NSManagedObjectConstraintMergeError`.
package enum ConstraintViolation {
    /// The name of the entity that declares the constraint.
    package static let entityKey = "OpenCoreDataConstraintEntity"
    /// The names of its properties, in order: `[String]`.
    package static let propertiesKey = "OpenCoreDataConstraintProperties"
    /// The index of the entity and the key of the row that could not be written: `Int`, `Int64`.
    package static let rowEntityKey = "OpenCoreDataConstraintRowEntity"
    package static let rowKeyKey = "OpenCoreDataConstraintRowKey"
}

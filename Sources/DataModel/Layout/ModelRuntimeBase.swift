/// The base of what a higher layer keeps with a model (see `NSManagedObjectModel.runtime(make:)`).
package class ModelRuntimeBase: @unchecked Sendable {
    // @unchecked Sendable: has no state; a subclass has to prove its own.
    package init() {}
}

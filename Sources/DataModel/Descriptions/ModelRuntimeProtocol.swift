/// What a higher layer computes once for a frozen model and keeps with it (see `NSManagedObjectModel.runtime(make:)`).
package protocol ModelRuntimeProtocol: AnyObject, Sendable {}

final class ModelRuntimeBox: Sendable {
    let runtime: any ModelRuntimeProtocol

    init(_ runtime: any ModelRuntimeProtocol) { self.runtime = runtime }
}

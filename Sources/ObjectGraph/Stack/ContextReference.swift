import CSwiftRuntime
import Foundation

/// A context, not held. What a weak reference is, without its price: an object with weak references to it is retained and released the slow way ever after, and
/// a context is for each row.
///
/// `@unchecked Sendable`: the pointer is only touched under the lock.
package final class ContextReference: @unchecked Sendable {
    private let lock = NSLock()
    private var pointer: UnsafeMutableRawPointer?

    init() {}

    /// The context, unless it is gone.
    package var context: NSManagedObjectContext? {
        lock.withLock {
            guard let pointer, let retained = swift_tryRetain(pointer) else { return nil }
            return Unmanaged<NSManagedObjectContext>.fromOpaque(retained).takeRetainedValue()
        }
    }

    /// To be called once, at the end of the context's initializer.
    func point(at context: NSManagedObjectContext) { lock.withLock { pointer = Unmanaged.passUnretained(context).toOpaque() } }

    /// To be called when the context ends.
    func cut() { lock.withLock { pointer = nil } }
}

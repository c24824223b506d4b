import CSwiftRuntime
import Foundation

/// A weak reference to a context, without the price of one. Swift retains and releases an object the slow way once a
/// weak reference to it was made, and a context is retained for each row.
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

    /// Must be called once, at the end of the context's initializer.
    func point(at context: NSManagedObjectContext) { lock.withLock { pointer = Unmanaged.passUnretained(context).toOpaque() } }

    /// Must be called when the context ends.
    func cut() { lock.withLock { pointer = nil } }
}

import Foundation
import Synchronization

/// Runs a piece of work on a deep stack, because SwiftParser follows some constructs, such as chains of `else if`, by
/// recursion.
enum DeepStack {
    private final class Result<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
        let isDone = DispatchSemaphore(value: 0)
    }

    /// - Parameter work: It runs on a thread of its own, and the caller waits.
    static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) -> Value {
        let result = Result<Value>()
        let thread = Thread {
            let value = work()
            result.value.withLock { $0 = value }
            result.isDone.signal()
        }
        // These are addresses, not memory: only the used part is ever backed by pages.
        thread.stackSize = 1 << 30
        thread.start()
        result.isDone.wait()
        guard let value = result.value.withLock({ $0 }) else { return work() }
        return value
    }
}

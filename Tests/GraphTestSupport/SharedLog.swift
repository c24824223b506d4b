import Synchronization

/// A list that several threads write to.
package final class SharedLog: Sendable {
    private let list = Mutex<[String]>([])

    package init() {}

    package func add(_ text: String) { list.withLock { $0.append(text) } }
    package var all: [String] { list.withLock { $0 } }
}

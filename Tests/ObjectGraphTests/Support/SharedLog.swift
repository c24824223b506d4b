import Synchronization

/// A list that several threads write to.
final class SharedLog: Sendable {
    private let list = Mutex<[String]>([])

    func add(_ text: String) { list.withLock { $0.append(text) } }
    var all: [String] { list.withLock { $0 } }
}

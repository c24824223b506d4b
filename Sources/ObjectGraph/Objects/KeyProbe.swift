import Foundation

/// Finds out whether objects have a value for a key that their entity does not have. A class may answer for such a key
/// in `value(forKey:)` or `value(forUndefinedKey:)`.
///
/// While a probe runs on a thread, `NSManagedObject.value(forUndefinedKey:)` notes that there was no answer, and does
/// not stop the program.
package final class KeyProbe {
    private static let key = "OpenCoreData.KeyProbe"
    fileprivate(set) var isUnanswered = false

    /// The probe of this thread.
    private static var current: KeyProbe? { Thread.current.threadDictionary[key] as? KeyProbe }

    /// Notes the miss; false if no probe runs.
    static func note() -> Bool {
        guard let current else { return false }
        current.isUnanswered = true
        return true
    }

    /// - Returns: What `body` reads, and whether there was an answer for every key.
    package static func run<Value>(_ body: () -> Value) -> (value: Value, isAnswered: Bool) {
        let outer = current
        let probe = KeyProbe()
        Thread.current.threadDictionary[key] = probe
        defer { Thread.current.threadDictionary[key] = outer }
        return (body(), !probe.isUnanswered)
    }
}

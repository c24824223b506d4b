import Foundation
import Synchronization

/// Keys of objects that no store has yet: below zero, and different for each object of the process.
enum TemporaryKeys {
    private static let last = Atomic<Int64>(0)
    private static let process = UUID()

    static func next() -> Int64 { last.subtract(1, ordering: .relaxed).newValue }

    /// A UUID for the URL of a temporary ID: it is unique, because the process has a UUID of its own and the key is
    /// unique in the process.
    static func uuidString(for key: Int64) -> String {
        var bytes = process.uuid
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for index in 0..<8 { bytes[8 + index] ^= UInt8(truncatingIfNeeded: -key >> Int64(8 * index)) }
        }
        return UUID(uuid: bytes).uuidString
    }
}

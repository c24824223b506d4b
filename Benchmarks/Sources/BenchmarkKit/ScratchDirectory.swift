import Foundation

/// A folder that goes when its owner does: in `$TMPDIR`, else in memory where the system offers that, else where temporary files go.
package final class ScratchDirectory {
    package let url: URL

    package init() throws {
        url = Self.parent.appendingPathComponent("opencoredata-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// A path inside that nobody else has.
    package func newURL() -> URL {
        url.appendingPathComponent(UUID().uuidString)
    }

    private static var parent: URL {
        if let path = ProcessInfo.processInfo.environment["TMPDIR"] { return URL(fileURLWithPath: path) }
        let memory = "/dev/shm"
        return FileManager.default.isWritableFile(atPath: memory)
            ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
    }
}

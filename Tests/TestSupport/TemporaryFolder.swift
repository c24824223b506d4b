package import Foundation

/// A folder that exists as long as the object does.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("OpenCoreData-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The place of a file or folder in the folder.
    package func file(_ name: String) -> URL {
        url.appendingPathComponent(name)
    }

    /// Writes a file and gives its place. Missing folders of the path are made.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> URL { try write(Data(text.utf8), to: name) }

    /// Writes a file and gives its place. Missing folders of the path are made.
    @discardableResult
    package func write(_ data: Data, to name: String) throws -> URL {
        let target = file(name)
        try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: target)
        return target
    }

    /// Copies a store with its write-ahead files and its folder of external data, and gives the place of the copy.
    package func copyStore(_ store: URL) throws -> URL {
        let manager = FileManager.default
        let target = file(store.lastPathComponent)
        try manager.copyItem(at: store, to: target)
        for suffix in ["-wal", "-shm", "-journal"] where manager.fileExists(atPath: store.path + suffix) {
            try manager.copyItem(atPath: store.path + suffix, toPath: target.path + suffix)
        }
        let support = "." + store.deletingPathExtension().lastPathComponent + "_SUPPORT"
        let supportFolder = store.deletingLastPathComponent().appendingPathComponent(support)
        if manager.fileExists(atPath: supportFolder.path) {
            try manager.copyItem(at: supportFolder, to: file(support))
        }
        // Fixtures may be read-only, and a copy inherits that.
        for suffix in ["", "-wal", "-shm", "-journal"] where manager.fileExists(atPath: target.path + suffix) {
            try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: target.path + suffix)
        }
        return target
    }
}

import DataModel
import Foundation

/// Where a store's database is, in the terms of SQLite.
struct StoreLocation {
    let url: URL
    /// Nothing is in a file: `/dev/null`, and `/dev/null/name` for a database that all stores of the process with this name
    /// share.
    let isInMemory: Bool

    init(_ url: URL) throws {
        guard url.isFileURL else {
            throw StoreFailure.error(
                CocoaError.fileReadUnsupportedScheme.rawValue,
                "“\(url.absoluteString)” is no file: an SQLite store needs a file URL",
                url: url)
        }
        self.url = url
        isInMemory = url.path == "/dev/null" || url.path.hasPrefix("/dev/null/")
    }

    var exists: Bool { !isInMemory && FileManager.default.fileExists(atPath: url.path) }

    /// The name to open, with the given URI parameters.
    func name(_ parameters: [String] = []) -> String {
        if url.path == "/dev/null" { return ":memory:" }
        if isInMemory { return "file:\(escaped)?vfs=memdb" }
        guard !parameters.isEmpty else { return url.path }
        return "file:\(escaped)?\(parameters.joined(separator: "&"))"
    }

    private var escaped: String {
        url.path.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: "/").union(.alphanumerics)) ?? url.path
    }

    /// The file and those that SQLite keeps beside it.
    var files: [String] { ["", "-wal", "-shm", "-journal"].map { url.path + $0 } }

    /// The size of the write-ahead file; nil where there is none.
    var writeAheadSize: Int? {
        (try? FileManager.default.attributesOfItem(atPath: url.path + "-wal"))?[.size] as? Int
    }
}

import CSQLite
import DataModel
import Foundation

/// Where a store's database is, in the terms of SQLite.
struct StoreLocation {
    let url: URL
    /// Nothing is in a file: `/dev/null`, and `/dev/null/name` for a database that all stores of the process with this name
    /// share.
    let isInMemory: Bool
    /// Where the file really is: SQLite keeps its other files beside that, not beside a symbolic link.
    private let path: String

    init(_ url: URL) throws {
        guard url.isFileURL else {
            throw StoreFailure.error(
                CocoaError.fileReadUnsupportedScheme.rawValue,
                "“\(url.absoluteString)” is not a file: an SQLite store needs a file URL",
                url: url)
        }
        self.url = url
        isInMemory = url.path == "/dev/null" || url.path.hasPrefix("/dev/null/")
        path = isInMemory ? url.path : url.resolvingSymlinksInPath().path
    }

    var exists: Bool { !isInMemory && FileManager.default.fileExists(atPath: path) }

    /// The name to open, with the given URI parameters.
    func name(_ parameters: [String] = []) -> String {
        if path == "/dev/null" { return ":memory:" }
        if isInMemory { return "file:\(escaped)?vfs=memdb" }
        guard !parameters.isEmpty else { return path }
        return "file:\(escaped)?\(parameters.joined(separator: "&"))"
    }

    /// The file, beside which SQLite and Core Data keep the others.
    var file: URL { URL(fileURLWithPath: path) }

    private var escaped: String {
        path.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: "/").union(.alphanumerics)) ?? path
    }

    /// The file and those that SQLite keeps beside it.
    var files: [String] { ["", "-wal", "-shm", "-journal"].map { path + $0 } }

    /// The size of the write-ahead file; nil where there is none.
    var writeAheadSize: Int? { size("-wal") }

    /// Whether SQLite's log, or the index of one, is beside the file.
    var hasLogFiles: Bool {
        !isInMemory && ["-wal", "-shm"].contains { FileManager.default.fileExists(atPath: path + $0) }
    }

    /// What tells a file from another one that gets its name later.
    struct FileNumber: Equatable {
        let device: Int
        let node: Int
    }

    /// Nil where there is no file.
    var fileNumber: FileNumber? {
        guard !isInMemory, let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let device = attributes[.systemNumber] as? Int, let node = attributes[.systemFileNumber] as? Int
        else { return nil }
        return FileNumber(device: device, node: node)
    }

    private func size(_ suffix: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path + suffix))?[.size] as? Int
    }

    /// Refuses a file with a journal that names another file, as journals of transactions over several databases do. SQLite would
    /// delete that file in the end, wherever it is. Core Data stores never have such journals.
    func requireOwnJournal() throws {
        let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
        guard !isInMemory, let size = size("-journal"), size > magic.count,
            let journal = FileHandle(forReadingAtPath: path + "-journal")
        else { return }
        defer { try? journal.close() }
        guard (try? journal.seek(toOffset: UInt64(size - magic.count))) != nil,
            let end = try? journal.read(upToCount: magic.count),
            Array(end) == magic
        else { return }
        throw StoreFailure.error(
            SQLITE_CANTOPEN, .opening, text: "its journal names another file",
            doing: "“\(url.lastPathComponent)-journal” is of a transaction over several databases, which Core Data does not make",
            url: url)
    }

    /// Refuses a file that was cut off within a page. SQLite reads the missing part as zeros, and takes a file of one byte for an
    /// empty one.
    ///
    /// A file with a log or a journal beside it may lack a part that SQLite takes from there.
    func requireWholePages() throws {
        guard exists, (size("-wal") ?? 0) == 0, (size("-journal") ?? 0) == 0, let size = size(""), size > 0 else { return }
        if size == 1 {
            throw StoreFailure.error(SQLITE_NOTADB, .opening, text: "file is not a database", doing: "it has one byte", url: url)
        }
        guard let file = FileHandle(forReadingAtPath: path), let head = try? file.read(upToCount: 18), head.count == 18,
            head.starts(with: Data("SQLite format 3\0".utf8))
        else { return }
        let number = Int(head[16]) << 8 | Int(head[17])
        let pageSize = number == 1 ? 65536 : number
        guard pageSize >= 512, !size.isMultiple(of: pageSize) else { return }
        throw StoreFailure.error(
            SQLITE_CORRUPT, .opening, text: "the file is cut off",
            doing: "\(size) bytes are not a multiple of the page size \(pageSize)", url: url)
    }
}

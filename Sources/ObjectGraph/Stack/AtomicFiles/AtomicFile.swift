import DataModel
import Foundation

/// The one file of an atomic store. It is read and written as a whole.
///
/// A symbolic link stands for the file behind it.
struct AtomicFile {
    let url: URL
    private let path: String

    /// What a file is told apart by from what it was before.
    struct Stamp: Equatable {
        fileprivate let number: UInt64
        fileprivate let size: Int64
        fileprivate let seconds: Int
        fileprivate let nanoseconds: Int
    }

    /// - Throws: 134000 for what is not the URL of a file.
    init(_ url: URL?, type: String) throws {
        guard let url, url.isFileURL, url.path != "/dev/null" else {
            throw NSError.coreData(
                NSPersistentStoreInvalidTypeError, "A store of the type “\(type)” needs the URL of a file, which is not /dev/null"
            )
        }
        self.url = url
        path = url.resolvingSymlinksInPath().path
    }

    var name: String { url.lastPathComponent }

    /// What the file is like now; nil if there is none.
    var stamp: Stamp? { status.map { Stamp($0) } }

    private var status: stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    var exists: Bool { status != nil }

    // MARK: Reading

    /// The bytes of the file; nil if there is none, or if it is empty, as a destroyed store is.
    ///
    /// - Throws: 259 for a folder, a device and other things that are not plain files, and the system's error if the file can't
    ///   be read.
    func contents() throws -> Data? {
        guard let status else { return nil }
        try requirePlain(status)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return data.isEmpty ? nil : data
    }

    /// - Throws: 260 for a missing file, 259 for an empty one.
    func requireContents() throws -> Data {
        guard exists else { throw error(.fileReadNoSuchFile, "can't be opened: there is no such file") }
        guard let data = try contents() else { throw error(.fileReadCorruptFile, "is empty, so it is not a store") }
        return data
    }

    private func requirePlain(_ status: stat) throws {
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFREG else { return }
        throw error(
            .fileReadCorruptFile,
            "is \(kind == S_IFDIR ? "a folder" : "not a plain file"), so it is not a Core Data store: nothing was changed")
    }

    /// - Throws: 256 if there is no folder for the file.
    func requireFolder() throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var isFolder: ObjCBool = false
        guard !FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) || !isFolder.boolValue else { return }
        throw error(.fileReadUnknown, "can't be opened: there is no folder “\(folder)”")
    }

    // MARK: Writing

    /// Writes a file beside the old one, which then takes its place: whoever reads finds the old content or the new one.
    func write(_ data: Data) throws {
        let old = status
        if let old { try requirePlain(old) }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let new = folder.appendingPathComponent(".\(UUID().uuidString)-\(name.prefix(60))").path
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw systemError() }
        var isDone = false
        defer { if !isDone { unlink(new) } }
        do {
            defer { close(descriptor) }
            if let old, fchmod(descriptor, old.st_mode & 0o7777) != 0 { throw systemError() }
            try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) throws in
                var rest = bytes
                while !rest.isEmpty {
                    let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { throw systemError() }
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                }
            }
            guard fsync(descriptor) == 0 else { throw systemError() }
        }
        guard rename(new, path) == 0 else { throw systemError() }
        isDone = true
        // The name must not be lost either if the machine stops now.
        let place = open(folder.path, O_RDONLY | O_CLOEXEC)
        guard place >= 0 else { return }
        fsync(place)
        close(place)
    }

    /// Leaves an empty file.
    func empty() throws {
        guard truncate(path, 0) == 0 else { throw systemError() }
    }

    func remove() { unlink(path) }

    // MARK: Errors

    func error(_ code: CocoaError.Code, _ reason: String) -> NSError { error(code.rawValue, reason) }

    /// An error that names the file.
    func error(_ code: Int, _ reason: String) -> NSError {
        .coreData(code, "“\(name)” \(reason)", [NSFilePathErrorKey: url.path, NSURLErrorKey: url])
    }

    /// - Throws: 259 for an `AtomicFailure` of `body`, else what it throws.
    func reading<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let failure as AtomicFailure {
            throw error(.fileReadCorruptFile, "can't be read: \(failure.reason)")
        }
    }

    /// - Throws: 134030 for an `AtomicFailure` of `body`, else what it throws.
    func saving<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let failure as AtomicFailure {
            throw error(NSPersistentStoreSaveError, "can't be saved: \(failure.reason)")
        }
    }

    private func systemError() -> NSError {
        let number = errno
        let code: CocoaError.Code =
            switch number {
            case ENOSPC, EDQUOT: .fileWriteOutOfSpace
            case EACCES, EPERM: .fileWriteNoPermission
            case EROFS: .fileWriteVolumeReadOnly
            case ENOENT: .fileNoSuchFile
            default: .fileWriteUnknown
            }
        return error(code, "can't be written: \(String(cString: strerror(number)))")
    }
}

extension AtomicFile.Stamp {
    fileprivate init(_ status: stat) {
        number = UInt64(status.st_ino)
        size = Int64(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}

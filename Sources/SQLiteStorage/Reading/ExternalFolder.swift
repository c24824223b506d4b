import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A folder some levels below another one, whose files are read and removed without leaving it.
///
/// Somebody who hands over a store with its folders can put symbolic links there, so that other files are read into values or
/// deleted. So each
/// level is opened in the one above, and none may be a link. The folder that holds the store is the program's choice and is taken
/// as it is.
struct ExternalFolder {
    struct Failure: Error {
        let code: CocoaError.Code
        let reason: String
    }

    /// What a row can hold.
    private static let greatestSize = 0x7fff_ffff

    private let root: String
    private let folders: [String]
    private let followsLinks: Bool

    init(root: String, folders: [String], followsLinks: Bool) {
        (self.root, self.folders, self.followsLinks) = (root, folders, followsLinks)
    }

    func path(_ name: String) -> String { ([root] + folders + [name]).joined(separator: "/") }

    func contents(_ name: String) throws(Failure) -> Data {
        let folder = try open()
        defer { close(folder) }
        // Without waiting: a pipe in the place of a file would never answer.
        let file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | linkFlag)
        guard file >= 0 else { throw failure(errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(code: .fileReadUnknown, reason: "it is not a file") }
        guard status.st_size <= Self.greatestSize else {
            throw Failure(code: .fileReadTooLarge, reason: "it has \(status.st_size) bytes")
        }
        var data = Data(count: Int(status.st_size))
        var count = 0
        while count < data.count {
            let read = data.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { pread(file, $0 + count, bytes.count - count, off_t(count)) } ?? 0
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw failure(errno) }
            if read == 0 { break }
            count += read
        }
        return data.prefix(count)
    }

    func remove(_ name: String) {
        guard let folder = try? open() else { return }
        // Removes a link and not what it leads to.
        unlinkat(folder, name, 0)
        close(folder)
    }

    /// The names of what is in the folder; none if it can't be read.
    func names() -> [String] {
        guard let folder = try? open() else { return [] }
        guard let entries = fdopendir(folder) else {
            close(folder)
            return []
        }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }

    /// Writes a file as a whole, and makes the folders if they are missing.
    func write(_ data: Data, _ name: String) throws(Failure) {
        let folder = try open(makesFolders: true)
        defer { close(folder) }
        let temporaryName = ".\(UUID().uuidString)"
        let file = openat(folder, temporaryName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw failure(errno) }
        defer { unlinkat(folder, temporaryName, 0) }
        var count = 0
        while count < data.count {
            let written = data.withUnsafeBytes { bytes in
                bytes.baseAddress.map { pwrite(file, $0 + count, bytes.count - count, off_t(count)) } ?? 0
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                let number = errno
                close(file)
                throw failure(number)
            }
            count += written
        }
        let isSafe = fsync(file) == 0
        let number = errno
        close(file)
        guard isSafe else { throw failure(number) }
        guard renameat(folder, temporaryName, folder, name) == 0 else { throw failure(errno) }
    }

    /// Removes the folders, the innermost first, as far as they are empty.
    func removeEmptyFolders() {
        for count in stride(from: folders.count, to: 0, by: -1) {
            let outer = ExternalFolder(root: root, folders: Array(folders.prefix(count - 1)), followsLinks: followsLinks)
            guard let folder = try? outer.open() else { continue }
            unlinkat(folder, folders[count - 1], AT_REMOVEDIR)
            close(folder)
        }
    }

    private var linkFlag: Int32 { followsLinks ? 0 : O_NOFOLLOW }

    private func open(makesFolders: Bool = false) throws(Failure) -> Int32 {
        var folder = openat(AT_FDCWD, root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for name in folders where folder >= 0 {
            // What is there already stays; opening it tells whether it is a folder.
            if makesFolders { mkdirat(folder, name, 0o755) }
            let inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | linkFlag)
            let number = errno
            close(folder)
            errno = number
            folder = inner
        }
        guard folder >= 0 else { throw failure(errno) }
        return folder
    }

    private func failure(_ number: Int32) -> Failure {
        switch number {
        case ENOENT: Failure(code: .fileReadNoSuchFile, reason: "there is no such file")
        // A link in a folder's place is “no folder” to some systems.
        case ELOOP, EMLINK,
            ENOTDIR where !followsLinks:
            Failure(
                code: .fileReadNoPermission,
                reason:
                    "the file, or a folder above it, is a symbolic link, or is not a folder; with OpenCoreDataExternalDataLinksOption links are followed"
            )
        case EACCES, EPERM: Failure(code: .fileReadNoPermission, reason: "it is not permitted")
        default: Failure(code: .fileReadUnknown, reason: String(cString: strerror(number)))
        }
    }
}

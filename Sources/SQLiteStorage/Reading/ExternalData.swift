import DataModel
import Foundation

/// The files in which a store keeps large binary values.
struct ExternalData {
    /// The value's bytes follow in the column.
    static let inlineMarker: UInt8 = 1
    /// The name of a file follows, with a terminating zero.
    static let fileMarker: UInt8 = 2
    private static let nameLength = 36

    private let store: URL
    private let folder: ExternalFolder

    /// - Parameter followsLinks: Whether folders and files may be symbolic links.
    init(store: URL, followsLinks: Bool) {
        self.store = store
        let support = ".\(store.deletingPathExtension().lastPathComponent)_SUPPORT"
        folder = ExternalFolder(
            root: store.deletingLastPathComponent().path, folders: [support, "_EXTERNAL_DATA"], followsLinks: followsLinks)
    }

    /// The file in a column's bytes; nil unless they are a marker and the text of a UUID as Core Data writes it.
    static func file(_ column: UnsafeRawBufferPointer) -> UUID? {
        guard column.first == fileMarker, column.count == nameLength + 1 || (column.count == nameLength + 2 && column.last == 0)
        else {
            return nil
        }
        let name = String(decoding: column[1...nameLength], as: UTF8.self)
        return UUID(uuidString: name).flatMap { $0.uuidString == name ? $0 : nil }
    }

    /// The column's bytes for a file.
    static func column(_ file: UUID) -> [UInt8] { [fileMarker] + Array(file.uuidString.utf8) + [0] }

    /// - Throws: An error that names the file, if it is not there or can't be read.
    func contents(_ file: UUID) throws -> Data {
        do {
            return try folder.contents(file.uuidString)
        } catch {
            let path = folder.path(file.uuidString)
            throw StoreFailure.error(
                error.code.rawValue,
                "The file of an external value of “\(store.lastPathComponent)” can't be read: \(error.reason) (\(path))",
                url: URL(fileURLWithPath: path))
        }
    }

    /// The names of all files of values.
    var files: Set<String> { Set(folder.names().filter { name in UUID(uuidString: name)?.uuidString == name }) }

    /// Copies the files of all values.
    ///
    /// - Returns: Their names.
    func copyFiles(to other: ExternalData) throws -> Set<String> {
        let files = files
        for file in files.sorted() {
            do {
                try other.folder.write(folder.contents(file), file)
            } catch {
                throw StoreFailure.error(
                    error.code.rawValue,
                    "The file of an external value of “\(store.lastPathComponent)” can't be copied: \(error.reason) (\(folder.path(file)) to "
                        + "\(other.folder.path(file)))", url: URL(fileURLWithPath: folder.path(file)))
            }
        }
        return files
    }

    /// Removes the files of all values but some, and then the folders, if they are empty.
    func removeFiles(except kept: Set<String>) {
        for file in files.subtracting(kept) { folder.remove(file) }
        if kept.isEmpty { folder.removeEmptyFolders() }
    }

    func remove(_ file: UUID) { folder.remove(file.uuidString) }
}

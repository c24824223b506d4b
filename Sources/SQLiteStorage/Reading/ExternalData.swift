import Foundation

/// The files in which a store keeps large binary values.
struct ExternalData {
    /// The value's bytes follow in the column.
    static let inlineMarker: UInt8 = 1
    /// The name of a file follows, with a terminating zero.
    static let fileMarker: UInt8 = 2
    private static let nameLength = 36

    let folder: URL

    init(store: URL) {
        let name = ".\(store.deletingPathExtension().lastPathComponent)_SUPPORT"
        folder = store.deletingLastPathComponent().appendingPathComponent(name).appendingPathComponent("_EXTERNAL_DATA")
    }

    /// The file name in a column's bytes; nil unless they are a marker and the text of a UUID.
    static func fileName(_ column: UnsafeRawBufferPointer) -> String? {
        guard column.first == fileMarker, column.count == nameLength + 1 || (column.count == nameLength + 2 && column.last == 0)
        else {
            return nil
        }
        let name = String(decoding: column[1...nameLength], as: UTF8.self)
        return UUID(uuidString: name) == nil ? nil : name
    }

    /// Nil if the file is not there.
    func contents(_ name: String) -> Data? {
        try? Data(contentsOf: folder.appendingPathComponent(name))
    }

    func remove(_ name: String) {
        try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
}

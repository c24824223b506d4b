import Foundation
import SQLiteStorage
import Storage
import TestSupport

extension EngineStore {
    /// A store with a note whose large value is in a file.
    static func withExternalFile() throws -> (store: EngineStore, key: Int64, file: URL, data: Data) {
        var store = try EngineStore()
        let note = try store.entity("Note")
        let key = try store.engine.insert(note, in: store.layout, ["aString": "x", "aLargeBlob": Data([1])]).key
        store.engine.close()
        let name = UUID().uuidString
        let data = Data(repeating: 5, count: 200_000)
        let file = store.folder.file(".Store_SUPPORT/_EXTERNAL_DATA/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        let hex = ([2] + Array(name.utf8) + [0]).map { String(format: "%02X", $0) }.joined()
        try Database(store.url).execute("UPDATE ZNOTE SET ZALARGEBLOB = x'\(hex)'")
        try store.reopen()
        return (store, key, file, data)
    }
}

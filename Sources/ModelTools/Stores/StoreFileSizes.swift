import Foundation

/// The files that make up a store.
struct StoreFileSizes {
    let main: Int
    /// The write-ahead log; nil where there is none.
    let log: Int?
    let externalCount: Int
    let externalBytes: Int
    private let hasJournal: Bool

    init(_ path: String) {
        func size(_ path: String) -> Int? {
            ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber)?.intValue
        }
        main = size(path) ?? 0
        log = size(path + "-wal")
        hasJournal = (size(path + "-journal") ?? 0) > 0
        let url = URL(fileURLWithPath: path)
        let support = ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA"
        let folder = url.deletingLastPathComponent().appendingPathComponent(support).path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        externalCount = names.count
        externalBytes = names.reduce(0) { $0 + (size("\(folder)/\($1)") ?? 0) }
    }

    var text: String {
        var text = "\(main) bytes"
        if let log { text += ", \(log) bytes in the write-ahead log" }
        if externalCount > 0 { text += ", \(externalBytes) bytes in \(externalCount) external files" }
        return text
    }

    /// What is unusual.
    var notes: [String] {
        var notes: [String] = []
        if let log, log > 0 { notes.append("changes are still in the -wal file: copy it together with the store") }
        if hasJournal { notes.append("a -journal file is there: a program is writing, or has ended while it did") }
        if main == 0 { notes.append("the file is empty") }
        return notes
    }
}

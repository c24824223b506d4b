import Foundation

/// A new file that is written piece by piece, under another name until it is complete.
final class TextFile {
    private let target: URL
    private let partial: URL
    private let handle: FileHandle
    private var buffer: [UInt8] = []

    init(_ path: String) throws {
        target = try ModelFile.new(path)
        partial = target.deletingLastPathComponent().appendingPathComponent(".\(target.lastPathComponent).partial")
        guard FileManager.default.createFile(atPath: partial.path, contents: nil) else {
            throw ToolError(
                "“\(TextWidth.shown(path))” can't be written", hint: "does its folder exist, and may you write to it?")
        }
        handle = try FileHandle(forWritingTo: partial)
    }

    func write(_ text: String) throws {
        buffer += text.utf8
        if buffer.count > 1 << 16 { try flush() }
    }

    private func flush() throws {
        try handle.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    func finish() throws {
        try flush()
        try handle.close()
        try FileManager.default.moveItem(at: partial, to: target)
    }

    func discard() {
        try? handle.close()
        try? FileManager.default.removeItem(at: partial)
    }

    /// Writes a file in full or not at all.
    static func write(_ path: String, _ body: ((String) throws -> Void) throws -> Void) throws {
        let file = try TextFile(path)
        do {
            try body(file.write)
            try file.finish()
        } catch {
            file.discard()
            throw error
        }
    }
}

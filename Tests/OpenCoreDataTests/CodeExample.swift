import OpenCoreData
import TestSupport
import Testing

/// Code that stands both in a document and in a test.
enum CodeExample {
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The first Swift code of a document.
    static func firstCode(in document: URL) throws -> String {
        let lines = try lines(document)
        let open = try #require(
            lines.firstIndex { $0.trimmingCharacters(in: .whitespaces) == "```swift" }, "\(document.path) has no Swift code")
        let close = try #require(lines[(open + 1)...].firstIndex { $0.trimmingCharacters(in: .whitespaces) == "```" })
        return withoutIndentation(Array(lines[(open + 1)..<close]))
    }

    /// What stands between the lines "// MARK BEGIN" and "// MARK END" of a file of these tests.
    static func marked(_ mark: String, in file: String) throws -> String {
        let lines = try lines(URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(file))
        let start = try #require(lines.firstIndex(of: "// \(mark) BEGIN"))
        let end = try #require(lines.firstIndex(of: "// \(mark) END"))
        return withoutIndentation(Array(lines[(start + 1)..<end]))
    }

    /// A container of the README's classes with a store in a folder.
    static func cinema(in folder: TemporaryFolder) throws -> NSPersistentContainer {
        let container = try NSPersistentContainer(name: "Cinema", entities: Director.self, Movie.self)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: folder.file("Cinema.sqlite"))]
        try container.loadPersistentStores()
        return container
    }

    private static func lines(_ file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    }

    /// Lines without the indentation that they have in common.
    private static func withoutIndentation(_ lines: [String]) -> String {
        let indentations = lines.filter { !$0.allSatisfy(\.isWhitespace) }.map { $0.prefix { $0 == " " }.count }
        return lines.map { String($0.dropFirst(min($0.prefix { $0 == " " }.count, indentations.min() ?? 0))) }.joined(
            separator: "\n"
        )
        .trimmingCharacters(in: .newlines)
    }
}

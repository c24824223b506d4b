import DataModel
import Foundation

/// The first element of an XML store, `<databaseInfo>`, which is read without the objects.
struct XMLStoreHead {
    let identifier: String
    /// Where the content of `<metadata>` is; nil for a file without that element.
    let metadata: Range<Data.Index>?

    /// - Throws: `AtomicFailure` for a file that does not begin as an XML store.
    init(_ data: Data) throws {
        let end = Data("</databaseInfo>".utf8)
        let start = data.range(of: end).map { data[..<$0.upperBound] + Data("</database>".utf8) } ?? data
        let reader = HeadReader()
        try XMLStoreFormat.read(start, into: reader)
        guard reader.hasInfo else { throw AtomicFailure("it is not an XML store: it has no element <databaseInfo>") }
        guard let version = Int(reader.texts["version"] ?? ""), version == Self.version else {
            throw AtomicFailure("its version “\(reader.texts["version"] ?? "")” is not known")
        }
        guard let identifier = reader.texts["UUID"], !identifier.isEmpty else { throw AtomicFailure("it has no UUID") }
        self.identifier = identifier
        guard reader.hasMetadata, let open = start.range(of: Data("<metadata>".utf8)),
            let close = start.range(of: Data("</metadata>".utf8), in: open.upperBound..<start.endIndex)
        else {
            metadata = nil
            return
        }
        metadata = open.upperBound..<close.lowerBound
    }

    /// The only one that is known.
    static let version = 134_481_920

    private final class HeadReader: XMLEventReader {
        var hasInfo = false
        var hasMetadata = false
        /// By the name of the element.
        var texts: [String: String] = [:]
        private var path: [String] = []

        func begin(_ element: String, _ attributes: [String: String], line: Int) throws {
            if path.isEmpty, element != "database" {
                throw AtomicFailure("it is not an XML store: its root element is <\(element)>, and must be <database>")
            }
            if path == ["database"], element == "databaseInfo" {
                guard !hasInfo else { throw AtomicFailure("a second <databaseInfo>", line: line) }
                hasInfo = true
            }
            if path == ["database", "databaseInfo"] {
                guard texts.updateValue("", forKey: element) == nil else {
                    throw AtomicFailure("a second <\(element)>", line: line)
                }
                if element == "metadata" { hasMetadata = true }
            }
            path.append(element)
        }

        func text(_ part: String) {
            guard path.count == 3, path[1] == "databaseInfo" else { return }
            texts[path[2], default: ""] += part.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        func end(_ element: String) { _ = path.popLast() }
    }
}

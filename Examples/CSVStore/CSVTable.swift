import Foundation

/// A CSV file as rows of fields, by RFC 4180: commas between fields, a row per line, quotes around fields that have
/// commas, quotes or line ends in them, and two quotes for one.
///
/// Beyond the RFC a field without quotes and without text is nil, and `""` is the empty text; lines may end in LF
/// alone.
struct CSVTable {
    struct Row {
        let line: Int
        let fields: [String?]
    }

    let file: String
    var rows: [Row] = []

    init(file: String, rows: [Row] = []) {
        self.file = file
        self.rows = rows
    }

    /// - Throws: `CSVError` for text that is not UTF-8, for a quote that is not closed, and for one in the middle of a
    ///   field.
    init(file: String, _ data: Data) throws {
        self.file = file
        guard let text = String(validating: data, as: UTF8.self) else {
            throw CSVError(file: file, line: 1, reason: "the file is not UTF-8 text")
        }
        var reader = Reader(file: file, text: text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...])
        while let row = try reader.nextRow() { rows.append(row) }
    }

    /// The file's text. Lines end in CRLF.
    var data: Data {
        var text = ""
        for row in rows { text += row.fields.map(Self.written).joined(separator: ",") + "\r\n" }
        return Data(text.utf8)
    }

    private static func written(_ field: String?) -> String {
        guard let field else { return "" }
        let needsQuotes = field.isEmpty || field.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
        return needsQuotes ? "\"" + field.replacingOccurrences(of: "\"", with: "\"\"") + "\"" : field
    }

    private struct Reader {
        let file: String
        // Scalars: a carriage return and a line feed are one character of a string.
        private var rest: Substring.UnicodeScalarView
        private var line = 1

        init(file: String, text: Substring) {
            self.file = file
            rest = text.unicodeScalars
        }

        mutating func nextRow() throws -> Row? {
            guard !rest.isEmpty else { return nil }
            let start = line
            var fields: [String?] = []
            while true {
                fields.append(try nextField(start))
                guard let end = rest.popFirst() else { break }
                if end == "," { continue }
                // What ends a field that is no comma is the end of a line.
                if end == "\r" { rest.removeFirst() }
                line += 1
                break
            }
            return Row(line: start, fields: fields)
        }

        private var isAtEndOfField: Bool {
            guard let next = rest.first else { return true }
            return next == "," || next == "\n" || next == "\r" && rest.dropFirst().first == "\n"
        }

        private mutating func nextField(_ start: Int) throws -> String? {
            guard rest.first == "\"" else {
                var field = String.UnicodeScalarView()
                while !isAtEndOfField, let next = rest.popFirst() {
                    guard next != "\"" else {
                        throw CSVError(
                            file: file, line: start, reason: "there is a quote in a field that does not begin with one")
                    }
                    field.append(next)
                }
                return field.isEmpty ? nil : String(field)
            }
            rest.removeFirst()
            var field = String.UnicodeScalarView()
            while let next = rest.popFirst() {
                if next == "\n" { line += 1 }
                guard next == "\"" else {
                    field.append(next)
                    continue
                }
                if rest.first == "\"" {
                    rest.removeFirst()
                    field.append(next)
                    continue
                }
                guard isAtEndOfField else {
                    throw CSVError(file: file, line: start, reason: "there is text after the quote that ends a field")
                }
                return String(field)
            }
            throw CSVError(file: file, line: start, reason: "a quote is not closed")
        }
    }
}

package import Foundation
import FoundationXML

/// Takes the tags and texts of an XML file, in the order of the file. What it throws ends the reading.
package protocol XMLEventReader: AnyObject {
    /// - Parameter line: Where the start tag ends, counted from 1.
    func begin(_ element: String, _ attributes: [String: String], line: Int) throws
    func text(_ part: String)
    func end(_ element: String) throws
}

/// What is wrong with an XML file, and where.
package struct XMLProblem: Error {
    package let text: String
    package let line: Int?
    package let column: Int?
}

/// Reads XML files that can't be trusted.
///
/// Entities are not declared by any file that is read here, so a file that declares some is refused: they could
/// multiply its text, or bring other files into it.
package enum XMLEvents {
    /// - Throws: `XMLProblem` for what is not XML, and what the reader throws.
    package static func read(_ data: Data, into reader: any XMLEventReader, greatestDepth: Int) throws {
        try requirePlainText(data)
        // As a stream, piece by piece: the parser refuses pieces of more than ten megabytes.
        let parser = data.count < 5_000_000 ? XMLParser(data: data) : XMLParser(stream: InputStream(data: data))
        let delegate = XMLEventDelegate(reader, greatestDepth: greatestDepth)
        parser.delegate = delegate
        // The outcome is taken from the delegate: Linux's parser also returns true for a file that ends too early or is empty.
        _ = parser.parse()
        if let failure = delegate.failure { throw failure }
        guard delegate.hasRoot else { throw XMLProblem(text: "the file is empty", line: nil, column: nil) }
        guard delegate.depth == 0 else {
            throw XMLProblem(text: "malformed XML, the file ends too early", line: nil, column: nil)
        }
    }

    private static func requirePlainText(_ data: Data) throws {
        // Linux's parser traps on a name that is not UTF-8.
        if let line = lineOfBadText(data) {
            throw XMLProblem(text: "malformed XML, the text is not UTF-8", line: line, column: 1)
        }
        // Of other encodings some could hide a declaration.
        guard !data.contains(0) else { throw XMLProblem(text: "malformed XML, a zero byte", line: nil, column: nil) }
        if let end = data.range(of: Data("?>".utf8))?.lowerBound,
            let match = String(decoding: data[..<end], as: UTF8.self).firstMatch(of: /encoding\s*=\s*["']([^"']*)["']/)
        {
            let encoding = match.1.lowercased()
            guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(encoding) || encoding.hasPrefix("iso-8859-") else {
                throw XMLProblem(text: "the encoding “\(match.1)” is not UTF-8", line: 1, column: 1)
            }
        }
        guard data.range(of: Data("<!ENTITY".utf8)) == nil else {
            throw XMLProblem(text: "the file declares entities, which is not allowed", line: nil, column: nil)
        }
    }

    private static func lineOfBadText(_ data: Data) -> Int? {
        guard String(validating: data, as: UTF8.self) == nil else { return nil }
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0) + 1
    }
}

/// Passes on what Foundation's parser tells.
private final class XMLEventDelegate: NSObject, XMLParserDelegate {
    private let reader: any XMLEventReader
    private let greatestDepth: Int
    private(set) var depth = 0
    private(set) var hasRoot = false
    private(set) var failure: (any Error)?

    init(_ reader: any XMLEventReader, greatestDepth: Int) {
        self.reader = reader
        self.greatestDepth = greatestDepth
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName qName: String?,
        attributes attributeDict: [String: String] = [:]
    ) {
        guard failure == nil else { return }
        do {
            guard depth < greatestDepth else {
                throw XMLProblem(
                    text: "its elements are nested more than \(greatestDepth) levels deep", line: parser.lineNumber,
                    column: parser.columnNumber)
            }
            depth += 1
            hasRoot = true
            try reader.begin(elementName, attributeDict, line: parser.lineNumber)
        } catch { stop(parser, error) }
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName qName: String?
    ) {
        guard failure == nil else { return }
        depth -= 1
        do { try reader.end(elementName) } catch { stop(parser, error) }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if failure == nil { reader.text(string) }
    }

    func parser(_ parser: XMLParser, foundCDATA CDATABlock: Data) {
        if failure == nil { reader.text(String(decoding: CDATABlock, as: UTF8.self)) }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        let code = (parseError as NSError).code
        // Errors of libxml2 from 200 on are about namespaces, which mean nothing here.
        guard failure == nil, !(200..<300).contains(code) else { return }
        let reason = Self.reasons[code] ?? "XML error \(code)"
        failure = XMLProblem(text: "malformed XML, \(reason)", line: parser.lineNumber, column: parser.columnNumber)
    }

    private func stop(_ parser: XMLParser, _ error: any Error) {
        failure = error
        parser.abortParsing()
    }

    private static let reasons: [Int: String] = [
        4: "the file is empty or does not begin with a tag", 5: "the file ends too early, or something follows its end",
        9: "a character that is not allowed", 23: "an entity reference without semicolon", 26: "an entity that is not declared",
        38: "“<” in an attribute value", 39: "an attribute value without quotes", 40: "an attribute value that does not end",
        41: "an attribute without value", 42: "an attribute that occurs twice", 65: "a space is missing",
        68: "a name is missing", 73: "a tag that does not end", 76: "a closing tag that does not fit the open one",
        77: "a tag that is not closed", 81: "an encoding error",
    ]
}

import Foundation
import FoundationXML

/// Turns the bytes of a model file into a tree.
final class ModelXMLParser: NSObject, XMLParserDelegate {
    private var root: ModelXMLNode?
    private var open: [ModelXMLNode] = []
    private var failure: ModelProblem?
    /// Models need five levels. Each one is a level of the stack for code that walks through the tree or releases it.
    private static let greatestDepth = 100

    private var keepsText = false

    /// The root element, or what is wrong with the file and where.
    ///
    /// - Parameter keepsText: Whether texts between tags matter. In models they don't.
    static func parse(_ data: Data, keepsText: Bool = false) -> Result<ModelXMLNode, ModelProblem> {
        // Linux's parser traps on a name that is not UTF-8.
        if let line = lineOfBadText(data) {
            return .failure(ModelProblem("malformed XML, the text is not UTF-8", line: line, column: 1))
        }
        let parser = XMLParser(data: data)
        let delegate = ModelXMLParser()
        delegate.keepsText = keepsText
        parser.delegate = delegate
        // The outcome is taken from the delegate: Linux's parser also returns true for a file that ends too early or is empty.
        _ = parser.parse()
        if let failure = delegate.failure { return .failure(failure) }
        guard let root = delegate.root else { return .failure(ModelProblem("the file is empty")) }
        return .success(root)
    }

    private static func lineOfBadText(_ data: Data) -> Int? {
        guard String(validating: data, as: UTF8.self) == nil else { return nil }
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0) + 1
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName qName: String?,
        attributes attributeDict: [String: String] = [:]
    ) {
        guard open.count < Self.greatestDepth else {
            failure =
                failure
                ?? ModelProblem(
                    "its elements are nested more than \(Self.greatestDepth) levels deep", line: parser.lineNumber,
                    column: parser.columnNumber)
            return parser.abortParsing()
        }
        guard failure == nil else { return }
        let node = ModelXMLNode(name: elementName, attributes: attributeDict, line: parser.lineNumber)
        if let parent = open.last { parent.add(node) } else if root == nil { root = node }
        open.append(node)
    }

    func parser(_ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName qName: String?) {
        _ = open.popLast()
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if keepsText { open.last?.add(string) }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        let code = (parseError as NSError).code
        // Errors of libxml2 from 200 on are about namespaces, which mean nothing here.
        guard failure == nil, !(200..<300).contains(code) else { return }
        let reason = Self.reasons[code] ?? "XML error \(code)"
        failure = ModelProblem("malformed XML, \(reason)", line: parser.lineNumber, column: parser.columnNumber)
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

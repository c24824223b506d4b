import SwiftDiagnostics
import SwiftParser
import SwiftParserDiagnostics
import SwiftSyntax

/// Rewrites a source that was written for Apple's Core Data, so that it builds with this library where there is no Objective-C.
///
/// Text that no rule concerns stays as it is, byte for byte. Each source is read by itself: rules don't know other
/// files, and don't know types.
package enum SourcePorter {
    /// The greatest size of a source in bytes. Larger ones are not read, because they were not written by a person, and
    /// because the parser's recursion must fit its stack.
    package static let limit = 1 << 20

    /// Rewrites a source.
    ///
    /// - Parameters:
    ///   - source: Its text.
    ///   - style: What happens to lines that become empty.
    /// - Returns: The text after the changes, and the messages. The text of a source that does not parse is not
    ///   changed.
    package static func port(_ source: String, style: LineStyle) -> PortedSource {
        guard source.utf8.count <= limit else {
            let text = "the source has more than \(limit) bytes and was not read"
            return PortedSource(text: source, failure: [PortingMessage(.error, line: 1, column: 1, text)])
        }
        let text = SourceText(source)
        if let excess = NestingCheck.firstExcess(in: text.bytes) {
            let place = text.place(of: excess)
            let message = "the source is nested too deeply here: it was not read"
            return PortedSource(text: source, failure: [PortingMessage(.error, line: place.line, column: place.column, message)])
        }
        return DeepStack.run {
            let tree = Parser.parse(source: source)
            if tree.hasError { return PortedSource(text: source, failure: problems(of: tree, text)) }
            var rules = PortingRules(tree, text, style: style)
            rules.apply()
            return PortedSource(
                text: rules.edits.result(), counts: rules.edits.counts,
                messages: rules.messages.sorted { ($0.line, $0.column) < ($1.line, $1.column) }, classes: rules.facts.classes)
        }
    }

    /// Messages about what the parser does not understand, at most ten.
    private static func problems(of tree: SourceFileSyntax, _ source: SourceText) -> [PortingMessage] {
        // The time for explaining errors grows with the square of their number. If there are very many, the first ones
        // are enough.
        var part = Syntax(tree)
        while countErrors(in: part) > 100, let next = part.children(viewMode: .all).first(where: { $0.hasError || isError($0) }) {
            part = next
        }
        let errors = ParseDiagnosticsGenerator.diagnostics(for: part).filter { $0.diagMessage.severity == .error }
        let found =
            errors.isEmpty
            ? [(part.position.utf8Offset, "this is not Swift")] : errors.map { ($0.position.utf8Offset, $0.message) }
        return found.prefix(10).map { offset, text in
            let place = source.place(of: offset)
            return PortingMessage(.error, line: place.line, column: place.column, text)
        }
    }

    private static func isError(_ node: Syntax) -> Bool {
        node.kind == .unexpectedNodes || node.as(TokenSyntax.self)?.presence == .missing
    }

    private static func countErrors(in root: Syntax) -> Int {
        var count = 0
        var rest = [root]
        while let node = rest.popLast() {
            if isError(node) { count += 1 }
            if node.hasError { rest += node.children(viewMode: .all) }
        }
        return count
    }
}

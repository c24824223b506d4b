public import Foundation

/// A predicate that can be kept and sent: `Codable`, `Sendable` and `Hashable`, which `NSPredicate` is not.
///
/// It is encoded as the format string, so it can be read by people and by Apple's systems too.
///
/// ```swift
/// let request = try JSONEncoder().encode(PortablePredicate(NSPredicate(format: "rating > %d", 7)))
/// // "rating > 7"
/// let predicate = try JSONDecoder().decode(PortablePredicate.self, from: request).predicate
/// ```
public struct PortablePredicate: Codable, Hashable, Sendable, CustomStringConvertible {
    /// The format string.
    public let format: String

    /// Takes a predicate.
    ///
    /// - Throws: ``InvalidPredicateError`` if the predicate has no text from which it could be made again: it contains a
    ///   closure, an object or a key that is not a word.
    public init(_ predicate: NSPredicate) throws {
        let node = PredicateNode(predicate)
        let text = PredicatePrinter.print(node)
        guard !PredicatePrinter.quotesNames(node), let again = try? PredicateParser.predicate(text, []),
            again == node || again.simplified() == node.simplified()
        else {
            throw InvalidPredicateError(
                .unsupported, "The predicate can't be written as text", text: text,
                suggestion: "Closures and objects can't be kept: compare an object's properties")
        }
        format = text
    }

    /// Takes a format string; see ``Foundation/NSPredicate``.
    ///
    /// - Throws: ``InvalidPredicateError`` with the place of the mistake.
    public init(format: String) throws {
        self.format = PredicatePrinter.print(try PredicateParser.predicate(format, []))
    }

    /// Decodes a format string.
    ///
    /// - Throws: `DecodingError` with an ``InvalidPredicateError`` if the text is not a predicate.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do {
            try self.init(format: text)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\(error)", underlyingError: error))
        }
    }

    /// Encodes the format string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(format)
    }

    /// The predicate.
    public var predicate: NSPredicate { NSPredicate(format: format) }

    /// The format string.
    public var description: String { format }
}

import Foundation

/// What a program's store calls an object by, in a form that can be compared and written into a URL.
enum ReferenceObject: Hashable, Sendable {
    case number(Int64)
    case text(String)
    case uuid(UUID)

    /// Nil for what is neither a whole number of 64 bits, nor a text, nor a UUID.
    init?(_ value: Any) {
        switch value {
        case let text as String: self = .text(text)
        case let uuid as UUID: self = .uuid(uuid)
        case let uuid as NSUUID: self = .uuid(uuid as UUID)
        default:
            guard let number = WholeNumber(value), number.given == nil else { return nil }
            self = .number(number.nearest)
        }
    }

    /// As programs get it.
    var value: Any {
        switch self {
        case .number(let number): NSNumber(value: number)
        case .text(let text): text
        case .uuid(let uuid): uuid
        }
    }

    // MARK: In URLs

    /// The reference as a part of a URL's path. Numbers and UUIDs are written as they are; so are texts,
    /// percent-encoded, and with an apostrophe before those that look like a number or a UUID.
    var urlText: String {
        switch self {
        case .number(let number): "\(number)"
        case .uuid(let uuid): uuid.uuidString
        case .text(let text):
            (Self.isNumberOrUUID(text[...]) ? "'" : "")
                + (text.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? "")
        }
    }

    /// The reverse of `urlText`; nil for what that does not give.
    init?(urlText: Substring) {
        if let number = Int64(urlText), "\(number)" == urlText {
            self = .number(number)
        } else if let uuid = Self.uuid(urlText) {
            self = .uuid(uuid)
        } else {
            let isMarked = urlText.hasPrefix("'")
            guard let text = String(isMarked ? urlText.dropFirst() : urlText).removingPercentEncoding,
                isMarked == Self.isNumberOrUUID(text[...])
            else { return nil }
            self = .text(text)
        }
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private static func isNumberOrUUID(_ text: Substring) -> Bool {
        Int64(text).map { "\($0)" == text } ?? false || uuid(text) != nil
    }

    private static func uuid(_ text: Substring) -> UUID? {
        UUID(uuidString: String(text)).flatMap { $0.uuidString == text ? $0 : nil }
    }
}

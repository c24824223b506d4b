import Foundation

/// What a program's store calls an object by, in a form that can be compared and written into a URL.
enum ReferenceObject: Hashable, Sendable {
    case number(Int64)
    case text(String)
    case uuid(UUID)
    case bytes(Data)

    /// Nil for what is neither a whole number of 64 bits, nor a text, nor a UUID, nor data.
    init?(_ value: Any) {
        switch value {
        case let text as String: self = .text(text)
        case let uuid as UUID: self = .uuid(uuid)
        case let uuid as NSUUID: self = .uuid(uuid as UUID)
        case let bytes as Data: self = .bytes(bytes)
        case let bytes as NSData: self = .bytes(bytes as Data)
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
        case .bytes(let bytes): bytes
        }
    }

    // MARK: In URLs

    /// The reference as a part of a URL's path. Numbers and UUIDs are written as they are; so are texts,
    /// percent-encoded, and with an apostrophe before those that look like a number or a UUID. Data is written
    /// as base 64 for URLs after an equals sign, which is percent-encoded in texts.
    var urlText: String {
        switch self {
        case .number(let number): "\(number)"
        case .uuid(let uuid): uuid.uuidString
        case .text(let text):
            (Self.isNumberOrUUID(text[...]) ? "'" : "")
                + (text.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? "")
        case .bytes(let bytes): "=" + Self.base64(bytes)
        }
    }

    /// The reverse of `urlText`; nil for what that does not give.
    init?(urlText: Substring) {
        if let number = Int64(urlText), "\(number)" == urlText {
            self = .number(number)
        } else if let uuid = Self.uuid(urlText) {
            self = .uuid(uuid)
        } else if urlText.hasPrefix("=") {
            guard let bytes = Self.bytes(urlText.dropFirst()) else { return nil }
            self = .bytes(bytes)
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

    private static func base64(_ bytes: Data) -> String {
        bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func bytes(_ text: Substring) -> Data? {
        let padding = String(repeating: "=", count: -text.utf8.count & 3)
        let bytes = Data(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + padding)
        // Each reference has one text.
        return bytes.flatMap { base64($0) == text ? $0 : nil }
    }

    private static func uuid(_ text: Substring) -> UUID? {
        UUID(uuidString: String(text)).flatMap { $0.uuidString == text ? $0 : nil }
    }
}

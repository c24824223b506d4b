package import Foundation

/// Values as model files write them, always in the C locale.
package enum ModelText {
    /// The default value that a text stands for; nil if it does not fit the type. Not for dates, which are not written as text.
    package static func value(_ text: String, of type: NSAttributeDescription.AttributeType) -> Any? {
        switch type {
        case .integer16: Int16(text).map(NSNumber.init(value:))
        case .integer32: Int32(text).map(NSNumber.init(value:))
        case .integer64: Int64(text).map(NSNumber.init(value:))
        case .double: double(text).map(NSNumber.init(value:))
        case .float: double(text).map { NSNumber(value: Float($0)) }
        case .decimal: decimal(text).map(NSDecimalNumber.init(decimal:))
        case .boolean: boolean(text).map(NSNumber.init(value:))
        case .string: text
        case .uuid: UUID(uuidString: text)
        case .uri: URL(string: text)
        default: nil
        }
    }

    /// The default value that a text stands for, and what is wrong with it.
    ///
    /// Editors leave "0.0" behind when the type of an attribute changes: such a text counts as the whole number that it is.
    static func defaultValue(_ text: String, of type: NSAttributeDescription.AttributeType) -> (value: Any?, issue: String?) {
        if let value = value(text, of: type) { return (value, nil) }
        if let number = double(text), let whole = Int64(exactly: number), let value = value(String(whole), of: type) {
            return (value, "the default “\(text)” of type \(type) is read as \(whole)")
        }
        return (nil, "the default “\(text)” does not fit the type \(type)")
    }

    /// A number with optional sign, fraction and exponent, and nothing else; also infinity and "nan".
    package static func double(_ text: String) -> Double? {
        // Swift alone would also take hexadecimal numbers.
        text.contains { "xXpP".contains($0) } ? nil : Double(text)
    }

    /// A number in plain or exponent notation.
    package static func decimal(_ text: String) -> Decimal? {
        // Decimal reads as far as it can; the text must be a number from end to end.
        guard let number = double(text), number.isFinite else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    private static func boolean(_ text: String) -> Bool? {
        switch text {
        case "YES", "true": true
        case "NO", "false": false
        default: double(text).map { $0 != 0 }
        }
    }
}

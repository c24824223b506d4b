import Foundation

/// Values in messages.
enum ValueText {
    /// The value's own text. Foundation's text of a date that is not a number would stop the program.
    static func of(_ value: Any) -> String {
        switch value {
        case let date as Date where date.timeIntervalSinceReferenceDate.isNaN: "a date of NaN seconds"
        default: "\(value)"
        }
    }

    /// The same text, shortened if it is long.
    static func short(_ value: Any) -> String {
        let text = of(value)
        return text.utf8.count > 100 ? "\(text.prefix(100))…" : text
    }
}

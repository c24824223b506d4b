import Foundation

/// The types of `CAST(value, "type")`.
package enum CastType: String, CaseIterable, Sendable {
    /// From seconds since the start of 2001.
    case date = "NSDate"
    /// From a date, a text or another number.
    case number = "NSNumber"
    case decimal = "NSDecimalNumber"
    case string = "NSString"
    /// From a text in Base64.
    case data = "NSData"
    /// From its usual text.
    case uuid = "NSUUID"
    case url = "NSURL"

    /// Whether a cast of this constant is the form in which a constant of this type is printed.
    func isConstant(from value: PredicateValue) -> Bool {
        switch (self, value) {
        case (.date, .integer), (.date, .double), (.date, .unsigned): true
        case (.decimal, .string), (.data, .string), (.uuid, .string), (.url, .string): true
        default: false
        }
    }

    /// The value as this type; nil if it can't be.
    package func cast(_ value: PredicateValue) -> PredicateValue? {
        switch (self, value) {
        case (_, .null): .null
        case (.date, .date), (.data, .data), (.uuid, .uuid), (.url, .url), (.string, .string), (.decimal, .decimal): value
        case (.date, _) where value.isNumber: .date(Date(timeIntervalSinceReferenceDate: value.doubleValue))
        case (.number, .date(let date)): .double(date.timeIntervalSinceReferenceDate)
        case (.number, .string(let text)): Self.number(text)
        case (.number, _) where value.isNumber: value
        case (.decimal, .string(let text)): Self.decimal(text)
        case (.decimal, _) where value.isNumber: value.sortKey.exactDecimal.map(PredicateValue.decimal)
        case (.string, .uuid(let uuid)): .string(uuid.uuidString)
        case (.string, .url(let url)): .string(url.absoluteString)
        case (.string, _) where value.isNumber: .string(PredicatePrinter.print(.constant(value)))
        case (.data, .string(let text)): Data(base64Encoded: text).map(PredicateValue.data)
        case (.uuid, .string(let text)): UUID(uuidString: text).map(PredicateValue.uuid)
        case (.url, .string(let text)): URL(string: text).map(PredicateValue.url)
        default: nil
        }
    }

    private static func number(_ text: String) -> PredicateValue? {
        let text = text.trimmingCharacters(in: .whitespaces)
        return Int64(text).map(PredicateValue.integer) ?? Double(text).map(PredicateValue.double)
    }

    private static func decimal(_ text: String) -> PredicateValue? {
        Decimal(string: text.trimmingCharacters(in: .whitespaces), locale: Locale(identifier: "en_US_POSIX")).map {
            PredicateValue($0)
        }
    }
}

import Foundation

extension PredicatePrinter {
    mutating func constant(_ value: PredicateValue) {
        switch value {
        case .null: text += "nil"
        case .integer(let value): text += String(value)
        case .unsigned(let value): text += String(value)
        case .double(let value) where value.isNaN: cast("\"nan\"", "NSNumber")
        case .double(let value): text += number(value)
        case .decimal(let value): decimal(value)
        case .string(let value): string(value)
        case .date(let value): cast(Self.seconds(value.timeIntervalSinceReferenceDate), "NSDate")
        case .data(let value): cast("\"\(value.base64EncodedString())\"", "NSData")
        case .uuid(let value): cast("\"\(value.uuidString)\"", "NSUUID")
        case .url(let value):
            text += "CAST("
            string(value.absoluteString)
            text += ", \"NSURL\")"
        case .collection(let collection): self.collection(collection)
        case .object(let object): text += "<\(type(of: object)): \(object)>"
        case .other(let value): text += "<\(type(of: value.value)): \(value.value)>"
        }
    }

    private mutating func cast(_ value: String, _ type: String) {
        text += "CAST(\(value), \"\(type)\")"
    }

    private mutating func collection(_ collection: ValueCollection) {
        let isInArithmetic = isInArithmetic
        var elements = collection.elements.map { element in
            var printer = PredicatePrinter()
            printer.isInArithmetic = isInArithmetic
            printer.constant(element)
            return printer.text
        }
        // The same set must always have the same text.
        if collection.kind == .set { elements.sort() }
        text += "{\(elements.joined(separator: ", "))}"
    }

    /// Apple's systems write a whole number without a fraction, even if it is a floating-point number. In arithmetic that would
    /// change the result.
    private func number(_ value: Double) -> String {
        if value.isInfinite { return value < 0 ? "-1e999" : "1e999" }
        if !isInArithmetic, let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return String(whole) }
        return value.description
    }

    private mutating func decimal(_ value: Decimal) {
        if !isInArithmetic, let whole = Int64(value.description) {
            text += String(whole)
        } else {
            cast("\"\(value.description)\"", "NSDecimalNumber")
        }
    }

    /// Six digits, as Apple's systems write them, or as many as are needed.
    private static func seconds(_ value: Double) -> String {
        if value.isNaN { return "CAST(\"nan\", \"NSNumber\")" }
        guard value.isFinite else { return value < 0 ? "-1e999" : "1e999" }
        let short = String(format: "%.6f", value)
        return Double(short) == value ? short : value.description
    }

    mutating func string(_ value: String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                text += "\\u" + String(scalar.value + 0x10000, radix: 16).dropFirst()
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

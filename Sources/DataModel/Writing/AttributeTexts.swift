import Foundation

/// The texts that a model file has for an attribute's values.
struct AttributeTexts {
    private let attribute: NSAttributeDescription
    private let path: String

    init(_ attribute: NSAttributeDescription, path: String) {
        self.attribute = attribute
        self.path = path
    }

    /// - Throws: `ModelProblem` for a value that a model file can't hold.
    func add(to values: inout [String: String]) throws {
        try addDefault(to: &values)
        addLimits(to: &values)
        addClassName(to: &values)
        let limits = attribute.validationPredicates.filter { $0 is LimitPredicate }
        guard limits.count == attribute.validationPredicates.count else {
            throw ModelProblem("\(path): it has a validation predicate that is not a limit, which a model file can't hold")
        }
    }

    private func addDefault(to values: inout [String: String]) throws {
        let shown = values["defaultValueString"]
        values["defaultValueString"] = nil
        guard let value = attribute.defaultValue, !(value is NSNull) else {
            // What was not read is not taken out of the file.
            if let shown, attribute.type != .date, ModelText.defaultValue(shown, of: attribute.type).value == nil {
                values["defaultValueString"] = shown
            }
            return
        }
        if attribute.type == .date, let date = value as? Date {
            values["defaultDateTimeInterval"] = Self.text(date.timeIntervalSinceReferenceDate)
            // The editor shows it as it was entered.
            values["defaultValueString"] = shown
            return
        }
        // A text of the file that means the same stays, so that "0.0" does not become "0".
        if let shown, let read = ModelText.defaultValue(shown, of: attribute.type).value, Self.areSame(read, value) {
            values["defaultValueString"] = shown
            return
        }
        let number = value as? NSNumber
        let text: String? =
            switch attribute.type {
            case .boolean: number.map { $0.boolValue ? "YES" : "NO" }
            case .integer16, .integer32, .integer64: number.map { "\($0.int64Value)" }
            case .double: number.map { "\($0.doubleValue)" }
            case .float: number.map { "\($0.floatValue)" }
            case .decimal: (value as? NSDecimalNumber).map { "\($0.decimalValue)" } ?? (value as? Decimal).map { "\($0)" }
            case .string: value as? String
            case .uuid: (value as? UUID)?.uuidString
            case .uri: (value as? URL)?.absoluteString
            default: nil
            }
        guard let text else { throw ModelProblem("\(path): its default value can't be in a model file") }
        values["defaultValueString"] = text
    }

    private func addLimits(to values: inout [String: String]) {
        let limits = attribute.validationLimits
        values["regularExpressionString"] = limits.regularExpression
        if attribute.type == .date {
            values["minDateTimeInterval"] = limits.minimum
            values["maxDateTimeInterval"] = limits.maximum
            if limits.minimum == nil { values["minValueString"] = nil }
            if limits.maximum == nil { values["maxValueString"] = nil }
        } else {
            values["minValueString"] = limits.minimum
            values["maxValueString"] = limits.maximum
        }
    }

    private func addClassName(to values: inout [String: String]) {
        guard attribute.type == .transformable else { return }
        // Names without a class, such as "Module.", are kept for the editor.
        if let name = attribute.attributeValueClassName {
            values["customClassName"] = name
        } else if values["customClassName"]?.hasSuffix(".") != true {
            values["customClassName"] = nil
        }
    }

    private static func areSame(_ a: Any, _ b: Any) -> Bool { (a as? NSObject)?.isEqual(b) ?? false }

    /// Whole seconds without a fraction, as the editor writes them.
    private static func text(_ seconds: Double) -> String {
        Int64(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    }
}

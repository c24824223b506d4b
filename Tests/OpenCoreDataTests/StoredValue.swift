import OpenCoreData

/// An attribute's value in one form, whether it comes from an object or from a dump of the file.
enum StoredValue: CustomStringConvertible, Sendable {
    case null
    case integer(Int64)
    case boolean(Bool)
    case real(Double)
    case text(String)
    /// Seconds since 2001.
    case date(Double)
    case binary(count: Int, sha256: String)
    case composite([String: StoredValue])
    case unexpected(String)

    // MARK: From an object

    init(_ value: Any?, of attribute: NSAttributeDescription) {
        guard let value, !(value is NSNull) else {
            self = .null
            return
        }
        if let composite = attribute as? NSCompositeAttributeDescription, let values = value as? [String: Any] {
            let elements = composite.elements.map { ($0.name, StoredValue(values[$0.name], of: $0)) }
            self = .composite(Dictionary(elements) { first, _ in first })
            return
        }
        let number = value as? NSNumber
        switch attribute.type {
        case .integer16, .integer32, .integer64: self = number.map { .integer($0.int64Value) } ?? .wrongType(value)
        case .boolean: self = number.map { .boolean($0.boolValue) } ?? .wrongType(value)
        case .double, .float: self = number.map { .real($0.doubleValue) } ?? .wrongType(value)
        case .decimal: self = (value as? NSDecimalNumber).map { .text("\($0.decimalValue)") } ?? .wrongType(value)
        case .string: self = (value as? String).map { .text($0) } ?? .wrongType(value)
        case .date: self = (value as? Date).map { .date($0.timeIntervalSinceReferenceDate) } ?? .wrongType(value)
        case .uuid: self = (value as? UUID).map { .text($0.uuidString) } ?? .wrongType(value)
        case .uri: self = (value as? URL).map { .text($0.absoluteString) } ?? .wrongType(value)
        case .binaryData, .transformable: self = (value as? Data).map(StoredValue.data) ?? .wrongType(value)
        default: self = .wrongType(value)
        }
    }

    private static func data(_ data: Data) -> StoredValue {
        .binary(count: data.count, sha256: SHA256.hash(data).map { String(format: "%02x", $0) }.joined())
    }

    private static func wrongType(_ value: Any) -> StoredValue { .unexpected("\(type(of: value)) \(value)") }

    // MARK: From a dump

    init(_ dumped: StoreDump.Value, of attribute: NSAttributeDescription) {
        switch (attribute.type, dumped) {
        case (_, .null): self = .null
        case (.integer16, .integer(let value)), (.integer32, .integer(let value)), (.integer64, .integer(let value)):
            self = .integer(value)
        case (.boolean, .boolean(let value)): self = .boolean(value)
        case (.double, .real(let value)), (.float, .real(let value)): self = .real(value)
        case (.double, .integer(let value)), (.float, .integer(let value)): self = .real(Double(value))
        case (.double, .text(let text)), (.float, .text(let text)):
            self = .real(text == "Infinity" ? .infinity : text == "-Infinity" ? -.infinity : .nan)
        case (.date, .text(let text)): self = Self.seconds(text).map { .date($0) } ?? .unexpected(text)
        case (.binaryData, .fields(let fields)), (.transformable, .fields(let fields)):
            guard case .integer(let count)? = fields["bytes"], case .text(let hash)? = fields["sha256"] else { fallthrough }
            self = .binary(count: Int(count), sha256: hash)
        case (.composite, .fields(let fields)):
            let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
            let values = elements.map { ($0.name, StoredValue(fields[$0.name] ?? .null, of: $0)) }
            self = .composite(Dictionary(values) { first, _ in first })
        case (.string, .text(let text)), (.uri, .text(let text)), (.uuid, .text(let text)), (.decimal, .text(let text)):
            self = .text(text)
        default: self = .unexpected("\(dumped)")
        }
    }

    /// Reads "2024-05-10T18:14:11.681977Z"; the calendar is the Gregorian one at all times.
    private static func seconds(_ text: String) -> Double? {
        let fields = text.dropFirst().split { "-T:Z".contains($0) }.map(String.init)
        guard let first = text.first, fields.count == 6, let year = Int("\(first)\(fields[0])"), let month = Int(fields[1]),
            let day = Int(fields[2]), let hour = Int(fields[3]), let minute = Int(fields[4]), let second = Double(fields[5])
        else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 730_791
        return Double(days * 86400 + hour * 3600 + minute * 60) + second
    }

    // MARK: Comparison

    /// Equal to the last bit; dates within one microsecond, because dumps round them.
    func isSame(as other: StoredValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.integer(let a), .integer(let b)): a == b
        case (.boolean(let a), .boolean(let b)): a == b
        case (.real(let a), .real(let b)): a == b || a.isNaN && b.isNaN
        // Swift's == takes different encodings of a letter for the same.
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.date(let a), .date(let b)): abs(a - b) < 1.1e-6
        case (.binary(let a, let hashA), .binary(let b, let hashB)): a == b && hashA == hashB
        case (.composite(let a), .composite(let b)):
            Set(a.keys).union(b.keys).allSatisfy { (a[$0] ?? .null).isSame(as: b[$0] ?? .null) }
        // The file can't tell a composite without values from none.
        case (.composite(let values), .null), (.null, .composite(let values)): values.values.allSatisfy { $0.isSame(as: .null) }
        default: false
        }
    }

    var description: String {
        switch self {
        case .null: "nil"
        case .integer(let value): "\(value)"
        case .boolean(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let value): "\"\(value)\""
        case .date(let value): "\(Date(timeIntervalSinceReferenceDate: value)) (\(value))"
        case .binary(let count, let hash): "\(count) bytes \(hash.prefix(8))"
        case .composite(let values): "\(values)"
        case .unexpected(let text): "unexpected \(text)"
        }
    }
}

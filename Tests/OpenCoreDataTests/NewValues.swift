import OpenCoreData

/// Values for attributes of any type, each another one than all before where the type has so many.
struct NewValues {
    /// What attributes get that archive their values: it is compared as a value, not byte by byte.
    static var archived: NSDictionary { ["phone": "+49 30 1234", "numbers": [1, 2.5] as NSArray] }

    private var seed = 0

    /// - Parameter old: A value that must not come again.
    mutating func next(_ attribute: NSAttributeDescription, insteadOf old: Any? = nil) -> Any {
        seed += 1
        switch attribute.type {
        case .integer16: return NSNumber(value: Int16(truncatingIfNeeded: -1000 - seed))
        case .integer32: return NSNumber(value: Int32(2_000_000_000 + seed))
        case .integer64: return NSNumber(value: Int64(9_007_199_254_740_993) + Int64(seed))
        case .boolean: return NSNumber(value: (old as? NSNumber).map { !$0.boolValue } ?? seed.isMultiple(of: 2))
        case .double: return NSNumber(value: 0.1 + Double(seed))
        case .float: return NSNumber(value: Float(0.1) + Float(seed))
        case .decimal: return NSDecimalNumber(decimal: Decimal(seed) + Decimal(sign: .plus, exponent: -2, significand: 7))
        case .date: return Date(timeIntervalSinceReferenceDate: -123_456_789.25 - Double(seed))
        case .uuid: return UUID()
        case .uri: return URL(fileURLWithPath: "/tmp/ü \(seed)")
        case .binaryData: return Data((0..<(seed % 7 + 1)).map { UInt8(($0 * 31 + seed) % 256) })
        case .transformable:
            let usesArchive = attribute.valueTransformerName.map { $0.isEmpty || $0.hasPrefix("NS") } ?? true
            return usesArchive ? Self.archived as Any : Data("transformed \(seed)".utf8)
        default: return "geändert 😀 e\u{301} \(seed)"
        }
    }
}

extension NSEntityDescription {
    /// The attributes that programs set and stores keep, by name.
    var settableAttributes: [NSAttributeDescription] {
        attributesByName.values.filter { $0.isDumped && !($0 is NSDerivedAttributeDescription) }.sorted { $0.name < $1.name }
    }
}

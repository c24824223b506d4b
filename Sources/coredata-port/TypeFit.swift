import DataModel

/// Finds Swift types that contradict a property of a model.
enum TypeFit {
    private static let integers: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "NSNumber",
    ]
    private static let reals: Set<String> = ["Double", "Float", "CGFloat", "TimeInterval", "NSNumber"]
    private static let decimals: Set<String> = ["Decimal", "NSDecimalNumber", "NSNumber"]
    private static let booleans: Set<String> = ["Bool", "NSNumber"]
    private static let dates: Set<String> = ["Date", "NSDate", "TimeInterval", "Double"]
    private static let texts: Set<String> = ["String", "NSString"]
    private static let bytes: Set<String> = ["Data", "NSData"]
    private static let identifiers: Set<String> = ["UUID", "NSUUID"]
    private static let addresses: Set<String> = ["URL", "NSURL"]
    private static let values =
        integers.union(reals).union(decimals).union(booleans).union(dates).union(texts).union(bytes).union(identifiers).union(
            addresses)
    private static let sets: Set<String> = ["NSSet", "NSMutableSet", "Set"]
    private static let orderedSets: Set<String> = ["NSOrderedSet", "NSMutableOrderedSet", "Array"]
    /// The meaning of other names is not known.
    private static let known = values.union(sets).union(orderedSets).union(["NSArray", "NSDictionary", "Dictionary"])

    /// The type in the model, if the Swift type contradicts it.
    static func contradiction(_ type: String, _ property: NSPropertyDescription) -> String? {
        let name = plainName(type)
        guard known.contains(name) else { return nil }
        if let attribute = property as? NSAttributeDescription {
            guard let fitting = fitting(attribute.attributeType), !fitting.types.contains(name) else { return nil }
            return "an attribute of the type \(fitting.name)"
        }
        guard let relationship = property as? NSRelationshipDescription else { return nil }
        if !relationship.isToMany { return "a relationship to one object" }
        let fits = (relationship.isOrdered ? orderedSets : sets).contains(name)
        return fits
            ? nil : relationship.isOrdered ? "an ordered to-many relationship" : "a to-many relationship that is not ordered"
    }

    private static func fitting(_ type: NSAttributeType) -> (name: String, types: Set<String>)? {
        switch type {
        case .integer16AttributeType: ("Integer 16", integers)
        case .integer32AttributeType: ("Integer 32", integers)
        case .integer64AttributeType: ("Integer 64", integers)
        case .doubleAttributeType: ("Double", reals)
        case .floatAttributeType: ("Float", reals)
        case .decimalAttributeType: ("Decimal", decimals)
        case .booleanAttributeType: ("Boolean", booleans)
        case .dateAttributeType: ("Date", dates)
        case .stringAttributeType: ("String", texts)
        case .binaryDataAttributeType: ("Binary Data", bytes)
        case .UUIDAttributeType: ("UUID", identifiers)
        case .URIAttributeType: ("URI", addresses)
        default: nil
        }
    }

    /// `Set` of `Foundation.Set<Movie>?`, `Array` of `[Movie]`.
    private static func plainName(_ type: String) -> String {
        var text = type.filter { !$0.isWhitespace }[...]
        while let last = text.last, last == "?" || last == "!" { text = text.dropLast() }
        if text.hasPrefix("["), text.hasSuffix("]") { return text.contains(":") ? "Dictionary" : "Array" }
        if text.hasPrefix("Optional<"), text.hasSuffix(">") { return plainName(String(text.dropFirst(9).dropLast())) }
        if let generic = text.firstIndex(of: "<") { text = text[..<generic] }
        for module in ["Foundation.", "Swift."] where text.hasPrefix(module) { text = text.dropFirst(module.count) }
        return String(text)
    }
}

/// One of the functions that Core Data makes for a to-many relationship: `addToMovies(_:)` and its kin.
struct CollectionAccessor {
    enum Operation {
        case add, remove, insert, removeAt, replace
    }

    struct Parameter {
        let label: String
        let name: String
        let type: String

        /// The type without the mark of an optional.
        var plainType: String {
            var type = type[...]
            while let last = type.last, last == "?" || last == "!" { type = type.dropLast() }
            return String(type)
        }

        var isOptional: Bool { plainType != type }

        var isCollection: Bool {
            isOrderedCollection != nil || plainType == "NSArray" || plainType.hasPrefix("[") || plainType.hasPrefix("Array<")
        }

        /// Nil for arrays, which serve both kinds of relationships, and for single objects.
        var isOrderedCollection: Bool? {
            switch plainType {
            case "NSOrderedSet", "NSMutableOrderedSet": true
            case "NSSet", "NSMutableSet": false
            default: plainType.hasPrefix("Set<") ? false : nil
            }
        }

        /// An array of the members.
        var members: String {
            switch plainType {
            case "NSSet", "NSMutableSet": "\(name).allObjects"
            case "NSOrderedSet", "NSMutableOrderedSet": "\(name).array"
            case let type where type.hasPrefix("[") || type.hasPrefix("Array<"): name
            default: "Array(\(name))"
            }
        }

        var isIndexSet: Bool { plainType == "NSIndexSet" || plainType == "IndexSet" }

        var index: String {
            switch plainType {
            case "Int", "IndexSet": name
            case "NSIndexSet": "\(name) as IndexSet"
            default: "Int(\(name))"
            }
        }
    }

    /// The name of a parameter that has none.
    static func nameOfUnnamed(_ index: Int) -> String { "value\(index)" }

    let operation: Operation
    /// The relationship's name as it is part of the function's name, beginning with a capital letter.
    let capitalName: String
    private let parameters: [Parameter]

    /// - Parameters:
    ///   - baseName: The function's name without its labels.
    ///   - selector: The name in `@objc(…)`; nil if there is none.
    ///   - parameters: All of them.
    /// - Returns: Nil for functions of other forms.
    init?(baseName: String, selector: String?, parameters: [Parameter]) {
        let labels = parameters.map(\.label)
        let implied = selector == nil ? Self.impliedSelector(baseName, labels) : nil
        guard
            let found = selector.flatMap(Self.fromSelector) ?? Self.fromName(baseName, labels)
                ?? implied.flatMap(Self.fromSelector),
            !found.name.isEmpty
        else { return nil }
        let wanted: Int
        switch found.operation {
        case .insert, .replace: wanted = 2
        case .add, .remove, .removeAt: wanted = 1
        }
        guard parameters.count == wanted else { return nil }
        operation = found.operation
        capitalName = found.name
        self.parameters = parameters
    }

    /// Whether the relationship is ordered, according to the function's form; nil if the form does not say it.
    var isOrdered: Bool? {
        switch operation {
        case .add, .remove: parameters[0].isOrderedCollection
        case .insert, .removeAt, .replace: true
        }
    }

    /// The names that the relationship can have, the likelier one first.
    var keys: [String] {
        let lower = capitalName.prefix(1).lowercased() + capitalName.dropFirst()
        // The names are as key-value coding writes them: an abbreviation keeps its capital letters.
        let isAbbreviation = capitalName.dropFirst().first?.isUppercase ?? false
        return isAbbreviation ? [capitalName, lower] : [lower, capitalName]
    }

    /// The body, in braces.
    func body(key: String, isOrdered: Bool?) -> String {
        let literal = stringLiteral(key)
        let orderedSet = "mutableOrderedSetValue(forKey: \(literal))"
        let set = "mutableSetValue(forKey: \(literal))"
        let optionals = parameters.filter(\.isOptional).map { "guard let \($0.name) else { return }; " }.joined()
        let statement: String
        switch isOrdered {
        case true: statement = call(orderedSet, isOrdered: true)
        case false: statement = call(set, isOrdered: false)
        default:
            let isOrderedAtRunTime = "entity.relationshipsByName[\(literal)]?.isOrdered == true"
            statement =
                "if \(isOrderedAtRunTime) { \(call(orderedSet, isOrdered: true)) } else { \(call(set, isOrdered: false)) }"
        }
        return "{ \(optionals)\(statement) }"
    }

    private func call(_ set: String, isOrdered: Bool) -> String {
        let first = parameters[0]
        switch operation {
        case .add: return first.isCollection ? "\(set).addObjects(from: \(first.members))" : "\(set).add(\(first.name))"
        case .remove:
            if !first.isCollection { return "\(set).remove(\(first.name))" }
            if isOrdered { return "\(set).removeObjects(in: \(first.members))" }
            let member = first.name == "member" ? "object" : "member"
            return "for \(member) in \(first.members) { \(set).remove(\(member)) }"
        case .insert:
            return "\(set).insert(\(parameters[1].isIndexSet ? first.members : first.name), at: \(parameters[1].index))"
        case .removeAt: return "\(set).\(first.isIndexSet ? "removeObjects" : "removeObject")(at: \(first.index))"
        case .replace:
            let second = parameters[1]
            return first.isIndexSet
                ? "\(set).replaceObjects(at: \(first.index), with: \(second.members))"
                : "\(set).replaceObject(at: \(first.index), with: \(second.name))"
        }
    }

    private typealias Form = (operation: Operation, name: String)

    private static func fromSelector(_ selector: String) -> Form? {
        if let name = cut(selector, "insertObject:in", "AtIndex:") { return (.insert, name) }
        if let name = cut(selector, "removeObjectFrom", "AtIndex:") { return (.removeAt, name) }
        if let name = cut(selector, "replaceObjectIn", "AtIndex:withObject:") { return (.replace, name) }
        if let name = cut(selector, "insert", ":atIndexes:") { return (.insert, name) }
        if let name = cut(selector, "remove", "AtIndexes:") { return (.removeAt, name) }
        if let both = cut(selector, "replace", ":"), let middle = both.firstRange(of: "AtIndexes:with") {
            return (.replace, String(both[..<middle.lowerBound]))
        }
        if let name = cut(selector, "add", "Object:") { return (.add, name) }
        if let name = cut(selector, "remove", "Object:") { return (.remove, name) }
        if let name = cut(selector, "add", ":"), !name.contains(":") { return (.add, name) }
        if let name = cut(selector, "remove", ":"), !name.contains(":") { return (.remove, name) }
        return nil
    }

    private static func fromName(_ baseName: String, _ labels: [String]) -> Form? {
        switch labels {
        case ["_"]:
            if let name = cut(baseName, "addTo") { return (.add, name) }
            if let name = cut(baseName, "removeFrom") { return (.remove, name) }
        case ["_", "at"]: if let name = cut(baseName, "insertInto") { return (.insert, name) }
        case ["at"]: if let name = cut(baseName, "removeFrom") { return (.removeAt, name) }
        case ["at", "with"]: if let name = cut(baseName, "replace") { return (.replace, name) }
        default: break
        }
        return nil
    }

    /// The name that Objective-C gives a Swift function.
    static func impliedSelector(_ baseName: String, _ labels: [String]) -> String {
        var selector = baseName
        for (index, label) in labels.enumerated() {
            if label != "_" { selector += index == 0 ? "With" + label.withCapital : label }
            selector += ":"
        }
        return selector
    }

    /// The text between a prefix and a suffix, if it begins like a name with a capital letter.
    private static func cut(_ text: String, _ prefix: String, _ suffix: String = "") -> String? {
        guard text.hasPrefix(prefix), text.hasSuffix(suffix), text.count > prefix.count + suffix.count else { return nil }
        let name = text.dropFirst(prefix.count).dropLast(suffix.count)
        guard let first = name.first, first.isUppercase || first == "_" || !first.isASCII else { return nil }
        return String(name)
    }
}

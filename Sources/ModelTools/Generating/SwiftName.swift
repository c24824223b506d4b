import Foundation

/// Names of a model as names of Swift.
enum SwiftName {
    /// Words that need backticks as names of properties.
    private static let keywords: Set<String> = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "inout", "internal", "let",
        "operator", "precedencegroup", "private", "protocol", "public", "rethrows", "static", "struct", "subscript", "typealias",
        "var", "break", "case", "catch", "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard", "if", "in",
        "repeat", "return", "switch", "throw", "where", "while", "Any", "as", "false", "is", "nil", "Self", "super", "throws",
        "true", "try", "_",
    ]

    /// What a property can't be called: members of managed objects, and words that mean something else.
    private static let reserved: Set<String> = [
        "entity", "managedObjectContext", "objectID", "isInserted", "isUpdated", "isDeleted", "isFault", "hasChanges",
        "hasPersistentChangedValues", "faultingState", "hash", "hashValue", "description", "debugDescription", "classForCoder",
        "inserted", "updated", "deleted", "fault", "observationInfo", "objectWillChange",
        "contextShouldIgnoreUnmodeledPropertyChanges", "fetchRequest", "awakeFromFetch", "awakeFromInsert", "awake",
        "prepareForDeletion", "willSave", "didSave", "willTurnIntoFault", "didTurnIntoFault", "willAccessValue",
        "didAccessValue", "willChangeValue", "didChangeValue", "primitiveValue", "setPrimitiveValue", "setValue", "hasFault",
        "objectIDs", "committedValues", "changedValues", "changedValuesForCurrentEvent", "validateForInsert",
        "validateForUpdate", "validateForDelete", "validateValue", "isEqual", "isProxy", "isKind", "isMember", "copy",
        "mutableCopy", "superclass", "class", "self", "zone", "perform", "responds", "conforms", "retain", "release",
        "autorelease", "retainCount", "dealloc", "finalize", "className", "classDescription", "attributeKeys",
        "toOneRelationshipKeys", "toManyRelationshipKeys", "forwardingTarget", "methodSignature", "doesNotRecognizeSelector",
        "Type", "Protocol", "init", "keys", "load", "typedID", "makeInstance",
    ]

    /// The name of a property without backticks. It differs from the model's where managed objects have a member of that name.
    static func property(_ name: String) -> String {
        let name = identifier(name)
        return reserved.contains(name) ? name + "_" : name
    }

    /// The name as it is declared.
    static func declared(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// The name of a class, without its module.
    static func type(_ className: String) -> String {
        let name = identifier(className.split(separator: ".").last.map(String.init) ?? className)
        return keywords.contains(name) || reserved.contains(name) ? name + "_" : name
    }

    /// The name with what no identifier has turned into underscores.
    private static func identifier(_ name: String) -> String {
        let text = String(name.map { ($0.isLetter || $0.isNumber) && $0.unicodeScalars.count == 1 || $0 == "_" ? $0 : "_" })
        guard let first = text.first else { return "_" }
        return first.isNumber ? "_" + text : text
    }

    static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F || TextWidth.isHidden(scalar):
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

import SwiftSyntax

/// A method in Objective-C's form that checks a value and may replace it: `validateTitle(_:)` for one property, or
/// `validateValue(_:forKey:)`.
struct ValidationMethod {
    /// The type of the parameter in Objective-C's form.
    private static let pointer = "AutoreleasingUnsafeMutablePointer<AnyObject?>"

    let name: String
    /// The parameter for the value.
    let parameter: FunctionParameterSyntax
    /// The property's name, beginning with a capital letter; nil for the method for all properties.
    let capitalName: String?

    /// Reads a declaration; nil if it is not of the form.
    init?(_ function: FunctionDeclSyntax) {
        let parameters = Array(function.signature.parameterClause.parameters)
        guard let first = parameters.first, first.firstName.text == "_", function.signature.returnClause == nil,
            function.signature.effectSpecifiers?.throwsClause != nil, function.signature.effectSpecifiers?.asyncSpecifier == nil,
            "\(first.type)".filter({ !$0.isWhitespace }) == Self.pointer
        else { return nil }
        name = function.name.text.withoutBackticks
        parameter = first
        if name == "validateValue", parameters.map(\.firstName.text) == ["_", "forKey"] {
            capitalName = nil
            return
        }
        // The name is the one in Objective-C: `@objc(validateTitle:error:)` has precedence over the Swift name.
        let selector = function.attributes.objectiveCName ?? "\(name):error:"
        guard parameters.count == 1, selector.hasPrefix("validate"), selector.hasSuffix(":error:") else { return nil }
        capitalName = String(selector.dropFirst("validate".count).dropLast(":error:".count))
        guard capitalName?.first?.isUppercase == true else { return nil }
    }

    /// The call of the method for a key. Key-value coding finds it by either name.
    var call: String? {
        guard let capitalName else { return nil }
        let lower = capitalName.prefix(1).lowercased() + capitalName.dropFirst()
        return "case \(stringLiteral(lower)), \(stringLiteral(capitalName)): try \(name)(&value)"
    }
}

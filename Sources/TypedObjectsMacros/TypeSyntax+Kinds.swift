import SwiftSyntax

extension TypeSyntax {
    /// Whether nil is one of the values.
    var isOptional: Bool {
        self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) || typeName == "Optional"
    }

    /// The type without `?`.
    var withoutOptional: TypeSyntax {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.trimmed }
        if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return optional.wrappedType.trimmed }
        return typeName == "Optional" ? firstGenericArgument ?? self : self
    }

    /// `Set<T>`, `[T]` or `Array<T>`.
    var isCollection: Bool { self.is(ArrayTypeSyntax.self) || typeName == "Array" || typeName == "Set" }

    /// The name without module and generic arguments.
    var typeName: String? {
        self.as(IdentifierTypeSyntax.self)?.name.text ?? self.as(MemberTypeSyntax.self)?.name.text
    }

    /// The type of a collection's elements.
    var elementType: TypeSyntax? {
        isCollection ? self.as(ArrayTypeSyntax.self)?.element.trimmed ?? firstGenericArgument : nil
    }

    private var firstGenericArgument: TypeSyntax? {
        let clause =
            self.as(IdentifierTypeSyntax.self)?.genericArgumentClause ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
        return clause?.arguments.first.flatMap { TypeSyntax($0.argument)?.trimmed }
    }

    /// Whether the type is certainly one of the library's attribute types.
    var isKnownValue: Bool { typeName.map(Self.valueTypes.contains) ?? false }

    private static let valueTypes: Set<String> = [
        "Bool", "Int8", "Int16", "Int32", "Int64", "Int", "UInt8", "UInt16", "UInt32", "Float", "Double", "Decimal", "String",
        "Date",
        "Data", "UUID", "URL", "NSNumber", "NSDecimalNumber", "NSString", "NSDate", "NSData", "NSUUID", "NSURL",
    ]

    /// Whether the type is spelled so that no managed property can have it.
    var isUnsupported: Bool {
        if let name = typeName, Self.replacements[name] != nil || ["Any", "AnyObject", "Dictionary"].contains(name) {
            return true
        }
        if let element = elementType {
            return element.isKnownValue || element.isCollection || element.isOptional || element.isUnsupported
        }
        return self.is(FunctionTypeSyntax.self) || self.is(TupleTypeSyntax.self) || self.is(DictionaryTypeSyntax.self)
            || self.is(SomeOrAnyTypeSyntax.self) || self.is(CompositionTypeSyntax.self) || self.is(MetatypeTypeSyntax.self)
    }

    /// Whether the type is spelled so that no property under `@Managed` can have it. Its attribute may be a
    /// transformable one.
    var isUnmanageable: Bool {
        typeName.map(["Float80", "Float16", "Character", "Substring"].contains) ?? false || self.is(FunctionTypeSyntax.self)
            || self.is(TupleTypeSyntax.self) || self.is(MetatypeTypeSyntax.self)
    }

    /// Whether the type is spelled as an array whose elements may be objects.
    var isArrayOfObjects: Bool { isCollection && typeName != "Set" && !isUnsupported }

    /// The array of objects in the type's spelling; nil if there is none.
    var arrayOfObjects: String? {
        let element = withoutOptional.elementType ?? withoutOptional
        let isObject = !element.isKnownValue && !element.isUnsupported && !element.isCollection && !element.isOptional
        return isObject && element.typeName != "NSSet" && element.typeName != "NSOrderedSet" ? "[\(element)]" : nil
    }

    /// A type that a managed property can have in place of this one.
    var replacement: String? { typeName.flatMap { Self.replacements[$0] } }

    private static let replacements = [
        "UInt": "Int64", "UInt64": "Int64", "CGFloat": "Double", "Float80": "Double", "Float16": "Float", "Character": "String",
        "Substring": "String", "NSArray": "NSOrderedSet",
    ]

    /// Whether a value of the type can be `Codable`, as far as its spelling shows.
    var canBeCodable: Bool {
        if let element = elementType { return element.canBeCodable }
        if let dictionary = self.as(DictionaryTypeSyntax.self) {
            return TypeSyntax(dictionary.key).canBeCodable && TypeSyntax(dictionary.value).canBeCodable
        }
        return isKnownValue || typeName == "Dictionary" || !isUnsupported
    }
}

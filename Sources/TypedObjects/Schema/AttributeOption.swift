import DataModel
public import Foundation
public import FoundationGaps
import Predicates

/// A detail of an attribute that `@Attribute` declares in addition to its type.
///
/// ```swift
/// @Attribute(.unique, .length(1...20)) var code: String
/// @Attribute(.originalName("mark"), .range(0...10)) var rating: Double?
/// ```
public struct AttributeOption: Sendable {
    package enum Kind: Sendable {
        case unique, indexed, transient, externalStorage, preservesValueInHistoryOnDeletion, allowsCloudEncryption, codable
        case derived(String)
        case transformable(name: String?)
        case originalName(String)
        case hashModifier(String)
        case userInfo([String: String])
        case range(minimum: String?, maximum: String?)
        case length(minimum: Int?, maximum: Int?)
        case pattern(String)
    }

    package let kind: Kind

    /// No two objects of the entity may have the same value. The model has a uniqueness constraint. For a constraint with several
    /// properties see ``Unique(_:)``.
    public static let unique = AttributeOption(kind: .unique)
    /// The store has an index of the values. For an index with several properties see ``Index(_:)``.
    public static let indexed = AttributeOption(kind: .indexed)
    /// The attribute is not stored. Its value exists only in memory.
    public static let transient = AttributeOption(kind: .transient)
    /// The store may keep large binary values in separate files.
    public static let externalStorage = AttributeOption(kind: .externalStorage)
    /// Persistent history keeps the value of a deleted object.
    public static let preservesValueInHistoryOnDeletion = AttributeOption(kind: .preservesValueInHistoryOnDeletion)
    /// CloudKit should store the value encrypted. The flag is kept in the model and has no other effect here.
    public static let allowsCloudEncryption = AttributeOption(kind: .allowsCloudEncryption)

    /// A `Codable` value is stored as JSON. The attribute is binary, or a string if a model from a file says so.
    ///
    /// The value is decoded each time it is read, so keep it in a variable in a loop. Data that can't be decoded is treated like
    /// an unknown raw value of an enumeration. See ``PropertyValueError``.
    public static let codable = AttributeOption(kind: .codable)

    /// The store computes the value when it saves. An example is `scenes.@count`. The property can't be set.
    ///
    /// SQLite stores and stores in memory compute all derivations that ``NSDerivedAttributeDescription`` documents. Any other
    /// expression is an error when the store is added.
    ///
    /// - Parameter expression: The expression as in a model file, with the names of the model.
    public static func derived(_ expression: String) -> AttributeOption { AttributeOption(kind: .derived(expression)) }

    /// A value is stored as a keyed archive. Its class must conform to `NSSecureCoding`.
    public static let transformable = AttributeOption(kind: .transformable(name: nil))

    /// A value of any type is stored as the data that a value transformer makes from it, as in `.transformable(by:
    /// ColorTransformer())`.
    ///
    /// - Parameter transformer: The transformer. It is made and registered under the name of its class, unless a transformer is
    ///   already registered under that name.
    public static func transformable<Transformer: ValueTransformer>(
        by transformer: @autoclosure () -> Transformer
    ) -> AttributeOption {
        let name = NSValueTransformerName(String(describing: Transformer.self))
        if ValueTransformer(forName: name) == nil { ValueTransformer.setValueTransformer(transformer(), forName: name) }
        return AttributeOption(kind: .transformable(name: name.rawValue))
    }

    /// A value of any type is stored as the data that a value transformer makes from it.
    ///
    /// - Parameter name: The name under which the program registers the transformer.
    public static func transformable(named name: NSValueTransformerName) -> AttributeOption {
        AttributeOption(kind: .transformable(name: name.rawValue))
    }

    /// The name of the attribute in an older version of the model, by which a migration finds it.
    public static func originalName(_ name: String) -> AttributeOption { AttributeOption(kind: .originalName(name)) }

    /// A text that is part of the version hash. Change it if only the meaning of the attribute has changed.
    public static func hashModifier(_ text: String) -> AttributeOption { AttributeOption(kind: .hashModifier(text)) }

    /// The user info of the attribute in the model.
    public static func userInfo(_ userInfo: [String: String]) -> AttributeOption { AttributeOption(kind: .userInfo(userInfo)) }

    // MARK: Validation

    /// A number or date must be in a range when the object is saved.
    public static func range<Bound: _AttributeLimit>(_ range: ClosedRange<Bound>) -> AttributeOption {
        AttributeOption(kind: .range(minimum: range.lowerBound._limitText, maximum: range.upperBound._limitText))
    }

    /// A number or date must not be less than a limit when the object is saved.
    public static func range<Bound: _AttributeLimit>(_ range: PartialRangeFrom<Bound>) -> AttributeOption {
        AttributeOption(kind: .range(minimum: range.lowerBound._limitText, maximum: nil))
    }

    /// A number or date must not be greater than a limit when the object is saved.
    public static func range<Bound: _AttributeLimit>(_ range: PartialRangeThrough<Bound>) -> AttributeOption {
        AttributeOption(kind: .range(minimum: nil, maximum: range.upperBound._limitText))
    }

    /// The number of a text's UTF-16 units must be in a range when the object is saved.
    public static func length(_ range: ClosedRange<Int>) -> AttributeOption {
        AttributeOption(kind: .length(minimum: range.lowerBound, maximum: range.upperBound))
    }

    /// A text must have at least a number of UTF-16 units when the object is saved.
    public static func length(_ range: PartialRangeFrom<Int>) -> AttributeOption {
        AttributeOption(kind: .length(minimum: range.lowerBound, maximum: nil))
    }

    /// A text must have at most a number of UTF-16 units when the object is saved.
    public static func length(_ range: PartialRangeThrough<Int>) -> AttributeOption {
        AttributeOption(kind: .length(minimum: nil, maximum: range.upperBound))
    }

    /// The whole of a text must match an ICU regular expression when the object is saved.
    public static func pattern(_ regularExpression: String) -> AttributeOption {
        AttributeOption(kind: .pattern(regularExpression))
    }
}

/// A type for the limits of `AttributeOption.range(_:)`: the standard library's numbers, `Decimal` and `Date`.
public protocol _AttributeLimit: Comparable {
    /// The limit as in a model file.
    var _limitText: String { get }
}

extension Int: _AttributeLimit {
    /// The number.
    public var _limitText: String { "\(self)" }
}
extension Double: _AttributeLimit {
    /// The number.
    public var _limitText: String { "\(self)" }
}
extension Decimal: _AttributeLimit {
    /// The number.
    public var _limitText: String { "\(self)" }
}
extension Date: _AttributeLimit {
    /// The seconds since the reference date.
    public var _limitText: String { "\(timeIntervalSinceReferenceDate)" }
}

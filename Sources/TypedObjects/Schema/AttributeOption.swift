import DataModel
public import Foundation
public import FoundationGaps
import Predicates

/// What `@Attribute` can say about an attribute besides its type.
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

    /// No two objects of the entity may have the same value: a uniqueness constraint in the model. For several properties
    /// together see ``Unique(_:)``.
    public static let unique = AttributeOption(kind: .unique)
    /// The store has an index of the values. For several properties together see ``Index(_:)``.
    public static let indexed = AttributeOption(kind: .indexed)
    /// The attribute is not stored: it lives as long as the object stays in memory.
    public static let transient = AttributeOption(kind: .transient)
    /// The store may keep large binary values in files of their own.
    public static let externalStorage = AttributeOption(kind: .externalStorage)
    /// Persistent history keeps the value of a deleted object.
    public static let preservesValueInHistoryOnDeletion = AttributeOption(kind: .preservesValueInHistoryOnDeletion)
    /// CloudKit should store the value encrypted. The flag is kept in the model and has no other effect here.
    public static let allowsCloudEncryption = AttributeOption(kind: .allowsCloudEncryption)

    /// A `Codable` value is kept as JSON: in a binary attribute, or in a string attribute where a model from a file has one.
    ///
    /// The value is decoded at each reading: keep it in a variable in a loop. Data that can't be decoded is treated like an
    /// enumeration's unknown raw value: see ``PropertyValueError``.
    public static let codable = AttributeOption(kind: .codable)

    /// The store computes the value when it saves: `scenes.@count`. The property can't be set.
    ///
    /// SQLite stores compute counts; other expressions are kept in the model, and a store written by Apple's framework keeps the
    /// values it has.
    ///
    /// - Parameter expression: the expression as model files write it, with names as the model has them.
    public static func derived(_ expression: String) -> AttributeOption { AttributeOption(kind: .derived(expression)) }

    /// A value of any type is kept as a keyed archive, which needs a class that conforms to `NSSecureCoding`.
    public static let transformable = AttributeOption(kind: .transformable(name: nil))

    /// A value of any type is kept as the data that a value transformer makes of it: `.transformable(by: ColorTransformer())`.
    ///
    /// - Parameter transformer: the transformer. It is made and registered under its class's name unless one is registered by
    ///   that name already.
    public static func transformable<Transformer: ValueTransformer>(
        by transformer: @autoclosure () -> Transformer
    ) -> AttributeOption {
        let name = NSValueTransformerName(String(describing: Transformer.self))
        if ValueTransformer(forName: name) == nil { ValueTransformer.setValueTransformer(transformer(), forName: name) }
        return AttributeOption(kind: .transformable(name: name.rawValue))
    }

    /// A value of any type is kept as the data that a value transformer makes of it.
    ///
    /// - Parameter name: the name under which the program registers the transformer.
    public static func transformable(named name: NSValueTransformerName) -> AttributeOption {
        AttributeOption(kind: .transformable(name: name.rawValue))
    }

    /// The name that the attribute had in an older version of the model: migration finds it by that.
    public static func originalName(_ name: String) -> AttributeOption { AttributeOption(kind: .originalName(name)) }

    /// A text that is part of the version hash: change it when the meaning of the attribute changed and nothing else did.
    public static func hashModifier(_ text: String) -> AttributeOption { AttributeOption(kind: .hashModifier(text)) }

    /// What else is to be noted in the model.
    public static func userInfo(_ userInfo: [String: String]) -> AttributeOption { AttributeOption(kind: .userInfo(userInfo)) }

    // MARK: Validation

    /// A number or date must lie in a range when the object is saved.
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

    /// A text must have so many UTF-16 units when the object is saved.
    public static func length(_ range: ClosedRange<Int>) -> AttributeOption {
        AttributeOption(kind: .length(minimum: range.lowerBound, maximum: range.upperBound))
    }

    /// A text must have at least so many UTF-16 units when the object is saved.
    public static func length(_ range: PartialRangeFrom<Int>) -> AttributeOption {
        AttributeOption(kind: .length(minimum: range.lowerBound, maximum: nil))
    }

    /// A text must have at most so many UTF-16 units when the object is saved.
    public static func length(_ range: PartialRangeThrough<Int>) -> AttributeOption {
        AttributeOption(kind: .length(minimum: nil, maximum: range.upperBound))
    }

    /// The whole of a text must match an ICU regular expression when the object is saved.
    public static func pattern(_ regularExpression: String) -> AttributeOption {
        AttributeOption(kind: .pattern(regularExpression))
    }
}

/// A type that limits of `AttributeOption.range(_:)` can have: the standard library's numbers, `Decimal` and `Date`.
public protocol _AttributeLimit: Comparable {
    /// The limit as model files write it.
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

import DataModel
public import Foundation
public import ObjectGraph

/// Why a property of an object has no value of its Swift type.
///
/// Reading such a property stops the program with this error's text, because a property can't throw. Where a store may hold
/// values that the program does not know, ask first, by `value(of:)` or `value(ifSet:)`, or let the property's type be `Result`:
///
/// ```swift
/// let genre = try movie.value(of: \.genre)                          // throws for a raw value that Genre doesn't know
/// let title = movie.value(ifSet: \.title) ?? "untitled"             // nil as long as there is no title
///
/// var genre: Result<Genre, PropertyValueError>                      // in the class: every reader sees the error
/// ```
public struct PropertyValueError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The property is required and was never set.
        case missing
        /// The stored value, given as text, is none of the type's: a raw value from a newer version of the program.
        case unknownValue(String)
        /// The stored data can't be decoded; the text is the decoder's.
        case undecodable(String)
        /// The store can't be read; the text is its error's.
        case unreadable(String)
    }

    /// The name of the object's class.
    public let className: String
    /// The property's name in Swift; with a dot, an element of a composite.
    public let property: String
    /// The property's Swift type.
    public let typeName: String
    /// What is wrong.
    public let reason: Reason
    /// The object.
    public let objectID: NSManagedObjectID
}

extension PropertyValueError {
    init(_ object: NSManagedObject, storedName: String, type: Any.Type, reason: Reason) {
        let schema = (Swift.type(of: object) as? any TypedObject.Type)?._typedSchema
        let parts = storedName.split(separator: ".", maxSplits: 1)
        let property = schema?.allProperties.first { $0.storedName == parts.first.map(String.init) ?? storedName }
        let name = [property?.name ?? String(parts.first ?? "")] + parts.dropFirst().map(String.init)
        self.init(
            className: "\(Swift.type(of: object))", property: name.joined(separator: "."), typeName: TypeCheck.describe(type),
            reason: reason, objectID: object.objectID)
    }
}

extension PropertyValueError: LocalizedError, CustomNSError, CustomStringConvertible {
    /// One sentence with class, property, value and object.
    public var description: String {
        switch reason {
        case .missing: "\(className).\(property) is required and has no value in \(objectID)"
        case .unknownValue(let value): "\(className).\(property) is “\(value)”, which is not a \(typeName), in \(objectID)"
        case .unreadable(let text): "\(className).\(property) can't be read in \(objectID): \(text)"
        case .undecodable(let text): "\(className).\(property) can't be decoded as \(typeName) in \(objectID): \(text)"
        }
    }

    /// The description.
    public var errorDescription: String? { description }

    /// Cocoa's domain.
    public static var errorDomain: String { NSCocoaErrorDomain }

    /// 1570 for a missing value, 1550 for an unknown one, Cocoa's 4864 for data that can't be decoded, 256 for what can't be
    /// read.
    public var errorCode: Int {
        switch reason {
        case .missing: NSValidationMissingMandatoryPropertyError
        case .unknownValue: NSManagedObjectValidationError
        case .unreadable: CocoaError.Code.fileReadUnknown.rawValue
        case .undecodable: CocoaError.Code.coderReadCorrupt.rawValue
        }
    }

    /// The description, and the property's name as for validation errors.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: description, NSValidationKeyErrorKey: property]
    }
}

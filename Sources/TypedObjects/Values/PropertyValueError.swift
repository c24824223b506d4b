import DataModel
public import Foundation
public import ObjectGraph

/// Why a property of an object has no value of its Swift type.
///
/// Reading such a property stops the program with this error's text, because a property can't throw. If a store may hold values
/// that the program does not know, use `value(of:)` or `value(ifSet:)`, or use `Result` as the property's type:
///
/// ```swift
/// let genre = try movie.value(of: \.genre)                          // throws for a raw value that Genre doesn't know
/// let title = movie.value(ifSet: \.title) ?? "untitled"             // nil as long as there is no title
///
/// var genre: Result<Genre, PropertyValueError>                      // in the class: every reader sees the error
/// ```
public struct PropertyValueError: Error, Hashable, Sendable {
    /// The reason.
    public enum Reason: Hashable, Sendable {
        /// The property is required and was never set.
        case missing
        /// The type does not know the stored value, which is given as text. It may be a raw value from a newer version of the
        /// program.
        case unknownValue(String)
        /// The stored data can't be decoded. The text is from the decoder's error.
        case undecodable(String)
        /// The store can't be read. The text is from the store's error.
        case unreadable(String)
    }

    /// The name of the object's class.
    public let className: String
    /// The property's name in Swift. An element of a composite has a dot in its name.
    public let property: String
    /// The property's Swift type.
    public let typeName: String
    /// The reason.
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
    /// A sentence that names the class, the property, the value and the object.
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

    /// 1570 for a missing value, 1550 for an unknown value, 4864 for data that can't be decoded, and 256 for a store that can't
    /// be read. All are Cocoa's codes.
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

import DataModel
import Foundation
import FoundationGaps
import Predicates

/// The bytes of transformable attributes.
///
/// An attribute uses the transformer that is registered under its `valueTransformerName`. Attributes without a
/// transformer, or with one of Apple's names for unarchiving, use a keyed archive of the plain classes.
enum TransformableCoding {
    /// - Parameter objectID: The object that has the value, for errors; nil for a default value.
    static func data(from value: Any, of attribute: NSAttributeDescription, objectID: NSManagedObjectID? = nil) throws -> Data {
        let transformer = transformer(of: attribute)
        do {
            switch transformer {
            case let secure as NSSecureUnarchiveFromDataTransformer:
                if let data = secure.reverseTransformedValue(value) as? Data { return data }
                // The error says why, if the value's class is the reason.
                _ = try KeyedArchive.data(of: value, classes: type(of: secure).allowedTopLevelClasses)
            case let transformer?:
                if let data = transformer.transformedValue(value) as? Data { return data }
            case nil where attribute.usesArchive:
                return try KeyedArchive.data(of: value, classes: KeyedArchive.plainClasses)
            case nil: break
            }
        } catch {
            throw failure(attribute, value, objectID, error.localizedDescription)
        }
        throw failure(attribute, value, objectID, "the transformer “\(attribute.valueTransformerName ?? "")” returned no data")
    }

    /// The value that a store's bytes stand for. If the bytes can't be decoded, or only with classes that are not
    /// allowed, they are the value themselves.
    static func value(from data: Data, of attribute: NSAttributeDescription) -> Any? {
        switch transformer(of: attribute) {
        case let secure as NSSecureUnarchiveFromDataTransformer: return secure.transformedValue(data) ?? data
        case let transformer?: return transformer.reverseTransformedValue(data)
        case nil where attribute.usesArchive:
            return (try? KeyedArchive.object(in: data, classes: KeyedArchive.plainClasses)) ?? data
        case nil: return data
        }
    }

    private static func transformer(of attribute: NSAttributeDescription) -> ValueTransformer? {
        guard !attribute.usesArchive, let name = attribute.valueTransformerName else { return nil }
        return ValueTransformer(forName: NSValueTransformerName(name))
    }

    private static func failure(
        _ attribute: NSAttributeDescription, _ value: Any, _ objectID: NSManagedObjectID?, _ reason: String
    ) -> NSError {
        .coreData(
            NSManagedObjectValidationError,
            "The value of the transformable attribute “\(attribute.name)” of \(objectID.map { "\($0)" } ?? "the model"), a \(type(of: value)), can't be saved: \(reason)",
            [NSValidationKeyErrorKey: attribute.name, NSValidationValueErrorKey: value])
    }
}

extension NSAttributeDescription {
    fileprivate static let archiverNames: Set<String> = [
        "", "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformerName", "NSKeyedUnarchiveFromData",
        "NSKeyedUnarchiveFromDataTransformerName", "NSUnarchiveFromData",
    ]

    fileprivate var usesArchive: Bool { Self.archiverNames.contains(valueTransformerName ?? "") }
}

import DataModel
import Foundation
import Predicates

/// The bytes of transformable attributes.
///
/// Attributes with a transformer that is registered under their `valueTransformerName` use it; those with none, or with Apple's name for secure
/// unarchiving, use a keyed archive, as Apple's framework does.
enum TransformableCoding {
    private static let archiverNames: Set<String> = [
        "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformerName", "NSKeyedUnarchiveFromData",
        "NSKeyedUnarchiveFromDataTransformerName",
    ]

    static func data(from value: Any, of attribute: NSAttributeDescription, objectID: NSManagedObjectID) throws -> Data {
        if let transformer = transformer(of: attribute) {
            if let data = transformer.transformedValue(value) as? Data { return data }
        } else if attribute.usesArchive {
            do {
                return try NSKeyedArchiver.archivedData(withRootObject: archivable(value), requiringSecureCoding: true)
            } catch {
                throw failure(attribute, value, objectID, error.localizedDescription)
            }
        }
        throw failure(attribute, value, objectID, "no data came out of the transformer “\(attribute.valueTransformerName ?? "")”")
    }

    static func value(from data: Data, of attribute: NSAttributeDescription) -> Any? {
        if let transformer = transformer(of: attribute) { return transformer.reverseTransformedValue(data) }
        // An archive of classes that this process does not have stays what it is in the store: data.
        guard attribute.usesArchive, let unarchiver = try? NSKeyedUnarchiver(forReadingFrom: data) else { return data }
        unarchiver.requiresSecureCoding = false
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        let value = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
        return unarchiver.error == nil ? value ?? data : data
    }

    /// What `NSKeyedArchiver` takes: Foundation's classes for Swift's values.
    private static func archivable(_ value: Any) -> Any {
        switch value {
        case let value as String: NSString(string: value)
        case let value as [Any]: NSArray(array: value.map(archivable))
        case let value as [String: Any]: NSDictionary(dictionary: value.mapValues(archivable))
        case let value as Date: value as NSDate
        case let value as Data: value as NSData
        case let value as UUID: value as NSUUID
        case let value as URL: value as NSURL
        case let value as Int: NSNumber(value: value)
        case let value as Double: NSNumber(value: value)
        case let value as Bool: NSNumber(value: value)
        default: value
        }
    }

    private static func transformer(of attribute: NSAttributeDescription) -> ValueTransformer? {
        guard let name = attribute.valueTransformerName, !name.isEmpty, !archiverNames.contains(name) else { return nil }
        return ValueTransformer(forName: NSValueTransformerName(name))
    }

    private static func failure(
        _ attribute: NSAttributeDescription, _ value: Any, _ objectID: NSManagedObjectID, _ reason: String
    ) -> NSError {
        .coreData(
            NSManagedObjectValidationError,
            "The value of the transformable attribute “\(attribute.name)” of \(objectID), a \(type(of: value)), can't be saved: \(reason)",
            [NSValidationKeyErrorKey: attribute.name, NSValidationValueErrorKey: value])
    }
}

extension NSAttributeDescription {
    fileprivate var usesArchive: Bool {
        guard let name = valueTransformerName, !name.isEmpty else { return true }
        return name.hasPrefix("NSSecureUnarchiveFromData") || name.hasPrefix("NSKeyedUnarchiveFromData")
    }
}

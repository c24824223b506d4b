import DataModel
import Foundation
public import Predicates
import Storage

/// Keys of a managed object that are not properties of its entity. Apple's key-value coding finds them as methods of
/// the class.
extension NSManagedObject {
    /// The value for such a key; the outer optional is nil for any other key. A property of the entity with the same
    /// name has precedence.
    final func objectValue(forKey key: String) -> Any?? {
        switch key {
        case "self": .some(self)
        case "objectID": .some(objectID)
        case "entity": .some(entity)
        case "managedObjectContext": .some(managedObjectContext)
        case "isFault", "fault": .some(isFault)
        case "isInserted", "inserted": .some(isInserted)
        case "isUpdated", "updated": .some(isUpdated)
        case "isDeleted", "deleted": .some(isDeleted)
        case "hasChanges": .some(hasChanges)
        case "hasPersistentChangedValues": .some(hasPersistentChangedValues)
        case "faultingState": .some(faultingState)
        case "hash": .some(hash)
        case "description": .some(description)
        case "debugDescription": .some(debugDescription)
        default: nil
        }
    }

    /// The keys that ``objectValue(forKey:)`` knows and whose values can be ordered.
    package static let objectKeys: Set<String> = [
        "self", "objectID", "entity", "isFault", "fault", "isInserted", "inserted", "isUpdated", "updated", "isDeleted",
        "deleted", "hasChanges",
        "hasPersistentChangedValues",
    ]
}

extension NSManagedObjectID: KeyValueCoding {
    /// The value for one of the keys `entity`, `isTemporaryID`, `persistentStore` and `URIRepresentation`; nil for others.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "self": self
        case "entity": entity
        case "isTemporaryID", "temporaryID": isTemporaryID
        case "persistentStore": persistentStore
        case "URIRepresentation", "uriRepresentation": uriRepresentation()
        case "description": description
        default: nil
        }
    }
}

extension NSManagedObjectID: SortKeyProviding {
    /// The order is by family and key, as in a store. Unsaved objects come last.
    package var sortKey: SortKey {
        let model = runtime.layout
        let name = model.entities[model.entities[entityIndex].root].name
        let digits = String(key.magnitude)
        let number = String(repeating: "0", count: max(0, 20 - digits.utf8.count)) + digits
        return .text("\(key < 0 ? 1 : 0) \(name) \(number) \(storeReference?.identifier ?? "")")
    }
}

extension NSManagedObject: SortKeyProviding {
    package final var sortKey: SortKey { objectID.sortKey }
}

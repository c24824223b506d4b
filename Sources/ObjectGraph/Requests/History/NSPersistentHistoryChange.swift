public import DataModel
public import Foundation
public import Predicates
import Storage

/// What one transaction did to one object.
///
/// Every thread may use it.
public final class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
    // @unchecked Sendable: everything is constant, and the model that it refers to does not change once in use.
    private let row: HistoryChange

    /// The ID of the object, which may be deleted.
    public let changedObjectID: NSManagedObjectID

    /// The transaction, without its changes.
    public let transaction: NSPersistentHistoryTransaction?

    init(_ row: HistoryChange, _ id: NSManagedObjectID, _ transaction: NSPersistentHistoryTransaction?) {
        self.row = row
        changedObjectID = id
        self.transaction = transaction
        super.init()
    }

    /// The number of the change in the store. Later changes have greater numbers.
    public var changeID: Int64 { row.number }

    /// What was done.
    public var changeType: NSPersistentHistoryChangeType {
        switch row.kind {
        case .insert: .insert
        case .update: .update
        case .delete: .delete
        }
    }

    /// The properties that an update changed; nil for other types. Derived attributes and the other sides of relationships may be
    /// missing.
    public var updatedProperties: Set<NSPropertyDescription>? {
        guard let names = row.updatedProperties else { return nil }
        return Set(names.compactMap { changedObjectID.entity.propertiesByName[$0] })
    }

    /// The values that a deleted object leaves behind, by name: those of attributes with `preservesValueInHistoryOnDeletion` that
    /// had one. Nil for other types, and for an entity without such attributes.
    public var tombstone: [AnyHashable: Any]? {
        guard let values = row.tombstone else { return nil }
        var result: [AnyHashable: Any] = [:]
        for (slot, property) in row.entity.slots.enumerated() where property.attribute != nil && !values.isNil(slot) {
            result[property.name] = SlotCoding.value(in: values, slot: slot, of: row.entity)
        }
        return result
    }

    /// The change itself, since changes don't change.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentHistoryChange else { return false }
        return other.changeID == changeID && other.changedObjectID == changedObjectID
    }

    public override var hash: Int { changeID.hashValue }

    public override var description: String { "<NSPersistentHistoryChange \(changeID): \(changeType) of \(changedObjectID)>" }

    // MARK: Fetch requests

    /// The entity of fetch requests that choose changes, with the attributes `changeID`, `changeType`, `changedEntity`,
    /// `changedID` (the object's key in the store) and `changedObjectID`, and the relationship `transaction`.
    public class var entityDescription: NSEntityDescription? { HistoryEntity.change.description }

    /// The same as ``entityDescription``, for every context.
    public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? { entityDescription }

    /// A new fetch request for ``NSPersistentHistoryChangeRequest/fetchHistory(withFetch:)``.
    public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { HistoryEntity.change.fetchRequest }
}

extension NSPersistentHistoryChange: KeyValueCoding {
    /// The value of a property that fetch requests have; nil for other keys.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "changeID": changeID
        case "changeType": changeType.rawValue
        case "changedEntity": changedObjectID.entity
        case "changedID": changedObjectID.key
        case "changedObjectID": changedObjectID
        case "transaction": transaction
        default: nil
        }
    }
}

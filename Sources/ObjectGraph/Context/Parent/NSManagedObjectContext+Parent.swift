import DataModel
import Foundation
import Storage

/// What a child context asks of its parent. All of it runs on the parent's queue while the child waits.
extension NSManagedObjectContext {
    /// The parent's answer to a fetch of its own, its unsaved changes included.
    final func rowsOfParent(_ parent: NSManagedObjectContext, _ plan: FetchPlan) throws -> [ParentRow] {
        try parent.queue.sync { try plan.objects().map(ParentRow.init) }
    }

    /// The object for a row of the parent: the known one as it is, else a fault.
    final func object(for found: ParentRow) -> NSManagedObject {
        let registry = (found.store.map(registries) ?? unsavedRegistries).registry(found.entity)
        guard let known = registry.object(found.key) else { return makeFault(registry, key: found.key, row: found.row) }
        if known.isFault, known.row == nil { known.row = found.row }
        return known
    }

    /// The values that an object has in the parent; nil if it has no such object.
    final func rowInParent(_ parent: NSManagedObjectContext, of object: NSManagedObject) -> Row? {
        let entity = object.layout.index
        let key = object.key
        let store = object.registry.store
        return parent.queue.sync {
            guard let inParent = parent.objectForChild(entity: entity, key: key, store: store) else { return nil }
            if inParent.row == nil || inParent.isFault && key < 0 {
                guard inParent.loadForChild() else { return nil }
            }
            return inParent.isDeleted ? nil : inParent.rowForChild
        }
    }

    final func membersInParent(_ parent: NSManagedObjectContext, _ relationship: RelationshipLayout, owner: NSManagedObject)
        -> [NSManagedObject]
    {
        let entity = owner.layout.index
        let key = owner.key
        let store = owner.registry.store
        let rows = parent.queue.sync { () -> [ParentRow] in
            guard let inParent = parent.objectForChild(entity: entity, key: key, store: store),
                let own = inParent.layout.relationship(id: relationship.id)
            else { return [] }
            return inParent.toMany(own).objects.map(ParentRow.init)
        }
        return rows.map(object(for:))
    }

    /// This context's object that a child knows by a key; a fault if it was not known. Nil for a new object that is gone.
    final func objectForChild(entity: Int, key: Int64, store: StoreReference?) -> NSManagedObject? {
        if let store { return object(store: store, entity: entity, key: key) }
        if let known = unsavedRegistries.registry(entity).object(key) { return known }
        if let id = permanentPlaces[key] { return object(store: id.store, entity: entity, key: id.key) }
        guard let parent else { return nil }
        // The object may be new in an ancestor.
        let isKnown = parent.queue.sync { parent.objectForChild(entity: entity, key: key, store: nil) != nil }
        return isKnown ? makeFault(unsavedRegistries.registry(entity), key: key, row: nil) : nil
    }
}

extension NSManagedObject {
    /// Loads the values if the store has them; false if the row is gone.
    final func loadForChild() -> Bool {
        if row == nil { row = context?.loadRow(of: self) }
        return row != nil
    }
}

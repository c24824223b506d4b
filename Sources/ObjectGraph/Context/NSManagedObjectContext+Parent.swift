import DataModel
import Foundation
import Storage

/// A child context's questions to its parent. They run on the parent's queue while the child waits.
extension NSManagedObjectContext {
    /// Asks the parent a question on the parent's queue. The answer has the IDs that this context's objects have
    /// afterwards.
    private final func ask<Answer>(_ parent: NSManagedObjectContext, _ question: () throws -> Answer) rethrows -> Answer {
        try parent.queue.sync {
            defer { adoptPermanentIDs(of: parent) }
            return try question()
        }
    }

    /// The parent's result for a fetch, with the parent's unsaved changes.
    final func rowsOfParent(_ parent: NSManagedObjectContext, _ plan: FetchPlan) throws -> [ParentRow] {
        try ask(parent) { try plan.objects().map(ParentRow.init) }
    }

    /// The object for a row of the parent: the known one as it is, else a fault.
    final func object(for found: ParentRow) -> NSManagedObject {
        let registry = (found.store.map(registries) ?? unsavedRegistries).registry(found.entity)
        guard let known = registry.object(found.key) else { return makeFault(registry, key: found.key, row: found.row) }
        // As after a fetch from a store, a fault gets the latest values.
        if known.isFault, !known.hasChanges { if let row = found.row { known.takeRow(row) } else { known.row = nil } }
        return known
    }

    /// The values that an object has in the parent; nil if it has no such object.
    final func rowInParent(_ parent: NSManagedObjectContext, of object: NSManagedObject) throws -> Row? {
        let entity = object.layout.index
        let key = object.key
        let store = object.registry.store
        return try ask(parent) {
            guard let inParent = parent.objectForChild(entity: entity, key: key, store: store) else { return nil }
            if inParent._state.contains(.unread) {
                try inParent.load()
            } else if inParent.row == nil || inParent.isFault && key < 0 {
                guard try inParent.loadForChild() else { return nil }
            }
            return inParent.isDeleted ? nil : inParent.rowForChild
        }
    }

    final func membersInParent(_ parent: NSManagedObjectContext, _ relationship: RelationshipLayout, owner: NSManagedObject)
        throws
        -> [NSManagedObject]
    {
        let entity = owner.layout.index
        let key = owner.key
        let store = owner.registry.store
        let rows = try ask(parent) { () -> [ParentRow] in
            guard let inParent = parent.objectForChild(entity: entity, key: key, store: store),
                let own = inParent.layout.relationship(id: relationship.id)
            else { return [] }
            // If a deletion is denied, the other side lists the deleted object until the save.
            return try inParent.toMany(own).loadedObjects().filter { !$0.isDeleted }.map(ParentRow.init)
        }
        return rows.map(object(for:))
    }

    /// The object of this context that a child knows by a key; a fault if it was not known. Nil for a new object that
    /// is gone.
    final func objectForChild(entity: Int, key: Int64, store: StoreReference?) -> NSManagedObject? {
        if let store { return object(store: store, entity: entity, key: key) }
        if let known = unsavedRegistries.registry(entity).object(key) { return known }
        if let place = permanentPlace(of: key) { return object(store: place.store, entity: entity, key: place.key) }
        guard let parent else { return nil }
        // The object may be new in an ancestor.
        let isKnown = parent.queue.sync { parent.objectForChild(entity: entity, key: key, store: nil) != nil }
        return isKnown ? makeFault(unsavedRegistries.registry(entity), key: key, row: nil) : nil
    }
}

extension NSManagedObject {
    /// Loads the values if the store has them; false if the row is gone.
    final func loadForChild() throws -> Bool {
        if row == nil { row = try context?.loadRow(of: self) }
        return row != nil
    }
}

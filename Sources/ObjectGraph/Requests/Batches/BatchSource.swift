import DataModel
import Foundation
import Storage

/// Gives a batch insert the values of one row after the other, in whatever form the request has them.
final class BatchSource {
    struct Values {
        let row: Row
        /// The slots that the request itself set.
        let given: SlotMask
    }

    private let request: NSBatchInsertRequest
    private let values: BatchValues
    private let scratch: NSManagedObjectContext
    private let template: Row
    private var index = 0

    private var entity: EntityLayout { values.entity }

    /// - Throws: 134060 for a request that has nothing to insert from.
    init(_ request: NSBatchInsertRequest, _ batch: Batch, _ values: BatchValues) throws {
        guard request.objectsToInsert != nil || request.dictionaryHandler != nil || request.managedObjectHandler != nil else {
            throw values.failure("the request has neither objectsToInsert nor a handler")
        }
        self.request = request
        self.values = values
        template = batch.runtime.templates[batch.entity.index]
        // Objects that are handed out need a context. This one has no unsaved changes that anybody would hear of.
        scratch = NSManagedObjectContext(.privateQueue)
        scratch.persistentStoreCoordinator = batch.context.persistentStoreCoordinator
    }

    /// Nil at the end.
    func next() throws -> Values? {
        if let objects = request.objectsToInsert {
            guard index < objects.count else { return nil }
            defer { index += 1 }
            return try values(of: objects[index])
        }
        if let handler = request.dictionaryHandler {
            let dictionary = NSMutableDictionary()
            return handler(dictionary) ? nil : try values(of: dictionary)
        }
        guard let handler = request.managedObjectHandler else { return nil }
        return try scratch.queue.owning {
            let object = makeObject()
            defer { release(object) }
            guard !handler(object), let row = object.row else { return nil }
            let given = object.markedSlots
            for relationship in entity.relationships where given.contains(relationship.slot) {
                throw values.failure("“\(relationship.name)” is a relationship, which a batch request can't set")
            }
            return Values(row: row, given: given)
        }
    }

    // MARK: Dictionaries

    private func values(of dictionary: NSMutableDictionary) throws -> Values {
        var result: [String: Any] = [:]
        for (key, value) in dictionary {
            guard let name = key as? String else { throw values.failure("the key \(key) is no name of a property") }
            result[name] = value
        }
        return try values(of: result)
    }

    private func values(of dictionary: [String: Any]) throws -> Values {
        let row = values.runtime.initialValues[entity.index] == nil ? template.makeDraft() : computedTemplate()
        var given = SlotMask()
        for (name, value) in dictionary {
            for slot in try values.set(name, value, in: row) { given.insert(slot) }
        }
        return Values(row: row, given: given)
    }

    /// A row with the initial values that the class computes, such as a new UUID.
    private func computedTemplate() -> Row {
        scratch.queue.owning {
            let object = makeObject()
            defer { release(object) }
            return object.row ?? template.makeDraft()
        }
    }

    // MARK: Objects

    /// An object with default values that nobody was told of.
    private func makeObject() -> NSManagedObject {
        let draft = template.makeDraft()
        let object = scratch.makeFault(
            scratch.unsavedRegistries.registry(entity.index), key: TemporaryKeys.next(), row: draft)
        object._slots = draft.slots
        object._state.insert(.draft)
        values.runtime.initialValues[entity.index]?(object)
        object.clearChangedMask()
        return object
    }

    /// Has the scratch context forget that the object changed, without telling anybody.
    private func release(_ object: NSManagedObject) {
        (scratch.updatedList, scratch.eventUpdated) = ([], [])
        scratch.event = EventLog()
        object.clearLinks()
    }
}

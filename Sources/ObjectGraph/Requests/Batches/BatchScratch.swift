import DataModel
import Foundation
import Storage

/// Makes objects for batch requests that nobody is told of: closures of the program set their properties, and their rows are written.
final class BatchScratch {
    struct Values {
        let row: Row
        /// The slots that were set.
        let given: SlotMask
    }

    private let runtime: ModelRuntime
    // Objects that are handed out need a context. This one has no unsaved changes that anybody would hear of.
    private let context = ScratchContext(concurrencyType: .privateQueueConcurrencyType)

    init(_ batch: Batch) {
        runtime = batch.runtime
        context.persistentStoreCoordinator = batch.context.persistentStoreCoordinator
    }

    /// What a closure sets in an object with default values.
    ///
    /// - Parameters:
    ///   - values: The entity's, for messages.
    ///   - fill: Returns false if the object is not to be used.
    /// - Returns: Nil for an object that is not to be used.
    /// - Throws: 134060 if a relationship was set.
    func values(_ values: BatchValues, _ fill: (NSManagedObject) throws -> Bool) throws -> Values? {
        let entity = values.entity
        return try context.queue.owning {
            let object = makeObject(entity)
            defer { release(object) }
            context.forgetRefusal()
            let isUsed = try fill(object)
            if let name = context.refusedRelationship { throw values.relationshipFailure(name) }
            guard isUsed, let row = object.row else { return nil }
            for slot in UnfitValues.slots(object) {
                if let number = UnfitValues.value(object, slot: slot) { throw values.unfit(number, slot) }
            }
            let given = object.markedSlots
            for relationship in entity.relationships where given.contains(relationship.slot) {
                throw values.relationshipFailure(relationship.name)
            }
            return Values(row: row, given: given)
        }
    }

    /// A row with the initial values that the class computes, such as a new UUID.
    func computedRow(_ entity: EntityLayout) -> Row? {
        context.queue.owning {
            let object = makeObject(entity)
            defer { release(object) }
            return object.row
        }
    }

    private func makeObject(_ entity: EntityLayout) -> NSManagedObject {
        let draft = runtime.templates[entity.index].makeDraft()
        let object = context.makeFault(
            context.unsavedRegistries.registry(entity.index), key: TemporaryKeys.next(), row: draft)
        object._slots = draft.slots
        object._state.insert(.draft)
        runtime.initialValues[entity.index]?(object)
        object.clearChangedMask()
        return object
    }

    /// Has the context forget that the object changed, without telling anybody.
    private func release(_ object: NSManagedObject) {
        (context.updatedList, context.eventUpdated) = ([], [])
        context.event = EventLog()
        object.clearLinks()
    }
}

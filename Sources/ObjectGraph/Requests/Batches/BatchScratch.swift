import DataModel
import Foundation
import Storage

/// Makes objects for batch requests, without telling observers. Closures of the program set their properties, and their
/// rows are written.
final class BatchScratch {
    struct Values {
        let row: Row
        /// The slots that were set.
        let given: SlotMask
    }

    private let runtime: ModelRuntime
    // Objects that are handed out need a context. The unsaved changes of this one are not reported.
    private let context = ScratchContext(concurrencyType: .privateQueueConcurrencyType)

    init(_ batch: Batch) {
        runtime = batch.runtime
        context.persistentStoreCoordinator = batch.context.persistentStoreCoordinator
    }

    /// The values that a closure sets in an object with default values.
    ///
    /// - Parameters:
    ///   - values: The entity's values, for messages.
    ///   - fill: Returns false if the object must not be used.
    /// - Returns: Nil for an object that must not be used.
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

    /// Makes the context forget that the object changed, without telling observers.
    private func release(_ object: NSManagedObject) {
        context.changeLists = ChangeLists()
        context.event = EventRecord()
        object.clearLinks()
    }
}

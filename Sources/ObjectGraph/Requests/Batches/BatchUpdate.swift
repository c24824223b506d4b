import DataModel
import Foundation
import Predicates
import Storage

/// The work of a batch update.
struct BatchUpdate {
    private let batch: Batch
    private let values: [(name: String, value: Any)]
    /// Sets the properties of an object of the entity to the values for the rows.
    private let template: ((NSManagedObject) throws -> Void)?

    /// - Throws: 134060 for keys that are neither names nor descriptions of properties.
    init(_ batch: Batch, _ properties: [AnyHashable: Any], template: ((NSManagedObject) throws -> Void)? = nil) throws {
        self.batch = batch
        self.template = template
        values = try properties.map { key, value in
            switch key.base {
            case let name as String: return (name, value)
            case let property as NSPropertyDescription: return (property.name, value)
            default:
                throw NSError.coreData(
                    NSCoreDataError,
                    "propertiesToUpdate of “\(batch.entity.name)” has the key \(key), which is not the name of a property")
            }
        }
        guard !values.isEmpty || template != nil else {
            throw NSError.coreData(NSCoreDataError, "A batch update of “\(batch.entity.name)” has no propertiesToUpdate")
        }
    }

    func update(_ settings: FetchSettings) throws -> [BatchOutcome] {
        // Mistakes are found even if there is nothing to update.
        if template == nil { _ = try assignments(batch.entity, nil) }
        return try batch.write(in: batch.stores) { store, _, writes in
            let rows = try batch.rows(settings, in: store)
            for (entity, keys) in rows.byEntity {
                let layout = batch.model.entities[entity]
                try writes.update(keys, entity: layout, assignments: try assignments(layout, store))
            }
            return BatchOutcome(rows, writes)
        }
    }

    /// The values for the rows of one concrete entity: a subentity may keep an inherited property in another slot.
    private func assignments(_ entity: EntityLayout, _ store: NSPersistentStore?) throws -> BatchAssignments {
        let target = BatchValues(entity: entity, runtime: batch.runtime, subject: "batch update of “\(batch.entity.name)”")
        if let template { return try assignments(target, template) }
        let row = Row.emptyDraft(entity)
        var mask = SlotMask()
        var computed: [(slot: Int, value: RowExpression)] = []
        var resolver = QueryResolver(entity, StoreQuery.environment(batch.runtime.layout, store, allowsTransients: false))
        for (name, value) in values {
            let expression = value as? _NSExpression
            if let expression, expression.expressionType != .constantValue {
                computed.append((try target.slot(name), try resolve(expression, to: try target.slot(name), &resolver, target)))
            } else {
                let constant = if let expression { expression.constantValue } else { Optional(value) }
                for slot in try target.set(name, constant, in: row) { mask.insert(slot) }
            }
        }
        try target.check(row, slots: mask)
        try target.encode(
            row, id: NSManagedObjectID(runtime: batch.runtime, entityIndex: entity.index, key: TemporaryKeys.next(), store: nil))
        var assignments = BatchAssignments(row: row, mask: mask)
        assignments.computed = computed
        assignments.constants = resolver.constants
        return assignments
    }

    private func assignments(_ target: BatchValues, _ template: (NSManagedObject) throws -> Void) throws -> BatchAssignments {
        let found = try BatchScratch(batch).values(target) { object in
            try template(object)
            return true
        }
        guard let found, !found.given.isEmpty else {
            throw target.failure("there is nothing to set")
        }
        for slot in found.given { _ = try target.slot(target.entity.slots[slot].name) }
        try target.check(found.row, slots: found.given)
        try target.encode(
            found.row,
            id: NSManagedObjectID(runtime: batch.runtime, entityIndex: target.entity.index, key: TemporaryKeys.next(), store: nil)
        )
        return BatchAssignments(row: found.row, mask: found.given)
    }

    private func resolve(
        _ expression: _NSExpression, to slot: Int, _ resolver: inout QueryResolver, _ target: BatchValues
    ) throws -> RowExpression {
        do {
            if let value = try resolver.assignment(expression.node, to: slot) { return value }
        } catch let error as InvalidPredicateError {
            throw NSError.coreData(
                NSCoreDataError, target.failure("\(error)").localizedDescription, [NSUnderlyingErrorKey: error])
        }
        throw target.failure("the store can't compute the expression “\(expression)”")
    }
}

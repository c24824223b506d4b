import DataModel
import Foundation
import Storage

/// The work of a batch insert.
final class BatchInsertion {
    /// The number of rows that get their keys at once.
    private static let pieceSize = 500

    private let batch: Batch
    private let wantsIDs: Bool
    private let values: BatchValues
    private let constraints: [UniquenessConstraints.Constraint]
    private let policy: NSMergePolicyType
    /// The rows of the result, including those that were inserted.
    private var written: [RowKey] = []
    private var inserted: [RowKey] = []
    private var count = 0

    private var entity: EntityLayout { batch.entity }

    init(_ batch: Batch, wantsIDs: Bool) {
        self.batch = batch
        self.wantsIDs = wantsIDs
        values = BatchValues(entity: batch.entity, runtime: batch.runtime, subject: "batch insert of “\(batch.entity.name)”")
        constraints = UniquenessConstraints(batch.model)[batch.entity]
        policy = batch.context.merging.policy.mergeType
    }

    func insert(_ request: NSBatchInsertRequest) throws -> [BatchOutcome] {
        guard !entity.isAbstract else { throw values.failure("the entity is abstract") }
        guard let store = batch.stores.first(where: { !$0.isReadOnly }) ?? batch.stores.first else {
            throw NSError.coreData(
                NSPersistentStoreSaveError,
                "No store holds the entity “\(entity.name)”, so nothing can be inserted: add a store whose configuration has it")
        }
        let source = try BatchSource(request, batch, values)
        return try batch.write(in: [store]) { store, transaction, writes in
            var pending: [BatchSource.Values] = []
            while let next = try source.next() {
                pending.append(next)
                guard pending.count == Self.pieceSize else { continue }
                try self.write(pending, transaction, writes)
                pending.removeAll(keepingCapacity: true)
            }
            try self.write(pending, transaction, writes)
            return BatchOutcome(self.written, count: self.count, inserted: self.inserted, writes)
        }
    }

    private func write(
        _ pending: [BatchSource.Values], _ transaction: any BatchTransaction, _ writes: BatchWrites
    ) throws {
        guard !pending.isEmpty else { return }
        let store = writes.store
        var key = try transaction.reserveKeys(pending.count, root: batch.model.entities[entity.root])
        var changes: [RowChange] = []
        for (offset, next) in pending.enumerated() {
            try check(next.row, number: count + offset)
            try values.encode(
                next.row,
                id: NSManagedObjectID(runtime: batch.runtime, entityIndex: entity.index, key: key, store: store.reference))
            if try !resolve(next, writes) {
                // An in-memory store hands the same row to others.
                next.row.version = 1
                let change = RowChange(key: key, row: next.row)
                // Rows that the next pass looks for must be written.
                if resolvesConflicts {
                    try insert([change], first: count + offset, transaction)
                } else {
                    changes.append(change)
                }
                note(RowKey(entity: entity.index, key: key), isNew: true)
                key &+= 1
            }
        }
        try insert(changes, first: count, transaction)
        count += pending.count
    }

    /// - Parameter first: The number of the first row among those that the request inserts.
    private func insert(_ changes: [RowChange], first: Int, _ transaction: any BatchTransaction) throws {
        do {
            try transaction.insert(changes, entity: entity)
        } catch let error as NSError where error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectConstraintMergeError
        {
            let key = error.userInfo[ConstraintViolation.rowKeyKey] as? Int64
            guard let index = changes.firstIndex(where: { $0.key == key }) else { throw error }
            throw duplicate(error, changes[index].row, number: first + index)
        }
    }

    private func duplicate(_ error: NSError, _ row: Row, number: Int) -> NSError {
        let names = error.userInfo[ConstraintViolation.propertiesKey] as? [String] ?? []
        let same = names.map { name in
            let value = entity.slotByName[name].flatMap { SlotCoding.value(in: row, slot: $0, of: entity) }
            return "\(name) = \(value.map(ValueText.short) ?? "nil")"
        }
        return NSError(
            domain: error.domain, code: error.code,
            userInfo: error.userInfo.merging([
                NSLocalizedDescriptionKey:
                    "The \(values.subject) can't be done: row \(number) has the same unique values as another row of the request or one in the "
                    + "store (\(same.joined(separator: ", "))). Leave it out, or set a merge policy that decides which one counts"
            ]) { $1 })
    }

    private func note(_ key: RowKey, isNew: Bool) {
        guard wantsIDs else { return }
        written.append(key)
        if isNew { inserted.append(key) }
    }

    /// Attributes that the store derives get their values when the row is in the store.
    private func check(_ row: Row, number: Int) throws {
        do {
            try values.check(row)
        } catch let error as NSError {
            throw NSError(
                domain: error.domain, code: error.code,
                userInfo: error.userInfo.merging([
                    NSLocalizedDescriptionKey: "\(error.localizedDescription) (in row \(number))"
                ]) { $1 })
        }
    }

    // MARK: Uniqueness

    private var resolvesConflicts: Bool { !constraints.isEmpty && policy != .errorMergePolicyType }

    /// - Returns: whether there was a row with the same unique values, so that the policy was applied.
    private func resolve(_ next: BatchSource.Values, _ writes: BatchWrites) throws -> Bool {
        guard resolvesConflicts else { return false }
        for constraint in constraints {
            guard constraint.slots.allSatisfy({ !next.row.isNil($0) }) else { continue }
            let found = KeyCollector()
            let request = RowRequest(
                batch.model.entities[entity.root], selection: .matching(next.row, slots: constraint.slots))
            try writes.store.fetch(request, into: found)
            guard let existing = found.keys.first else { continue }
            switch policy {
            case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType:
                try update(existing, next, writes)
                note(existing, isNew: false)
            default:
                count -= 1
            }
            return true
        }
        return false
    }

    private func update(_ existing: RowKey, _ next: BatchSource.Values, _ writes: BatchWrites) throws {
        guard existing.entityIndex == entity.index else {
            throw values.failure(
                "a “\(batch.model.entities[existing.entityIndex].name)” has the same unique values, and can't become a “\(entity.name)”"
            )
        }
        try writes.update([existing.key], entity: entity, assignments: BatchAssignments(row: next.row, mask: next.given))
    }
}

import DataModel
import Foundation
import Storage

/// Writing rows, and finding out which of them are in conflict.
extension SavePlan {
    /// - Throws: `VersionConflicts` with all rows that others changed or deleted; `ConstraintFailure` at the first
    ///   violation of a constraint.
    func writeRows(_ transaction: any SaveTransaction) throws {
        do {
            var conflicts = try checked.isEmpty ? [] : changedObjects(among: checked)
            // Deletions come first, because a new object may take over a unique value.
            try write(deleted, &conflicts, isDeletion: true) { try transaction.delete($1, entity: $0) }
            if vacatesUniqueValues { try vacateUniqueValues(transaction) }
            try write(updated, &conflicts, isDeletion: false) { try transaction.update($1, entity: $0) }
            if !reinserted.isEmpty { conflicts += try returned() }
            guard conflicts.isEmpty else { throw VersionConflicts(list: conflicts) }
            for entity in model.entities where !inserted[entity.index].isEmpty {
                try inserted[entity.index].forEachBatch {
                    try transaction.insert(changes($0, entity, isInsert: true), entity: entity)
                }
            }
            try requireDestinationsWithoutInverse()
            for object in reinserted {
                let entity = object.layout
                let changes = try changes([object], entity, isReturn: true)
                try transaction.insert(changes, entity: entity)
                var written = RecentWrites.Entry(root: entity.root, entity: entity.index, keys: [], versions: [])
                written.append(changes, isDeletion: false)
                recentWrites.append(written)
            }
        } catch let error as NSError where error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectConstraintMergeError
        {
            throw ConstraintFailure(plan: self, error: error)
        }
    }

    /// Completes the rows: foreign keys become those of the linked objects, transformable values become bytes, and
    /// versions become those after the save. An in-memory store hands the same rows to others as soon as the
    /// transaction ends.
    private func changes(
        _ objects: ArraySlice<NSManagedObject>, _ entity: EntityLayout, isInsert: Bool = false, isReturn: Bool = false
    ) throws -> [RowChange] {
        let toOnes = entity.relationships.filter { $0.storage == .toOne }
        let transformables = entity.variableSlots.filter { entity.kind($0) == .transformable }
        var result: [RowChange] = []
        result.reserveCapacity(objects.count)
        try objects.forEachUnretained { object in
            guard object.row != nil else { return }
            if !toOnes.isEmpty { object.updateForeignKeys(toOnes) }
            if !transformables.isEmpty { try object.encodeTransformables(transformables) }
            guard let row = object.row else { return }
            if isInsert {
                row.version = 1
                result.append(RowChange(key: object.key, row: row))
            } else {
                // A row that comes back must not be confused with an earlier row of its key, which others may have
                // changed more often than this context knows.
                let version = isReturn ? Int64.random(in: Self.versionsOfReturnedRows) : object.snapshot?.version ?? 0
                // The engine refuses a version that can't be incremented.
                row.version = version &+ 1
                result.append(RowChange(key: object.key, row: row, expectedVersion: version, mask: object.markedSlots))
            }
        }
        return result
    }

    /// These versions are beyond those that rows reach, and fit into the 32 bits of other programs.
    private static let versionsOfReturnedRows: ClosedRange<Int64> = 1 << 20...1 << 30

    private func deletions(_ objects: ArraySlice<NSManagedObject>) -> [RowChange] {
        objects.compactMap { object in
            object.row.map { RowChange(key: object.key, row: $0, expectedVersion: object.savedVersion) }
        }
    }

    private func write(
        _ objects: [[NSManagedObject]], _ conflicts: inout [VersionConflict], isDeletion: Bool,
        _ write: (EntityLayout, [RowChange]) throws -> [Int64]
    ) throws {
        for entity in model.entities where !objects[entity.index].isEmpty {
            let sorted =
                objects[entity.index].isSortedByKey ? objects[entity.index] : objects[entity.index].sorted { $0.key < $1.key }
            var keys: [Int64] = []
            var written = RecentWrites.Entry(root: entity.root, entity: entity.index, keys: [], versions: [])
            try sorted.forEachBatch { batch in
                let changes = try isDeletion ? deletions(batch) : changes(batch, entity)
                keys += try write(entity, changes)
                written.append(changes, isDeletion: isDeletion)
            }
            recentWrites.append(written)
            guard !keys.isEmpty else { continue }
            let affected = Set(keys)
            let found = try conflicting(sorted.filter { affected.contains($0.key) }, entity)
            // A row that should be deleted and is gone already is not a conflict.
            conflicts += isDeletion ? found.filter { $0.fresh != nil } : found
            if isDeletion { context.saving.noteVanished(found.lazy.filter { $0.fresh == nil }.map(\.object)) }
        }
    }

    /// Pairs objects with the rows that the store has now.
    private func conflicting(_ objects: [NSManagedObject], _ entity: EntityLayout) throws -> [VersionConflict] {
        let keys = objects.map(\.key)
        let rows = try store.loadRows(entity, keys: keys)
        let known = store.recentWrites.versions(of: Set(keys), root: entity.root)
        return objects.map { object in
            let fresh = rows[object.key]
            return VersionConflict(
                object: object, base: object.snapshot ?? object.row, fresh: fresh,
                isKnown: known[object.key] == (fresh?.version ?? 0))
        }
    }

    /// The conflicts that a store of a program's class has found in this plan.
    ///
    /// - Returns: nil for an error that does not name conflicts of objects that go to the store.
    func reportedConflicts(_ error: any Error) throws -> VersionConflicts? {
        guard let given = (error as NSError).userInfo[NSPersistentStoreSaveConflictsErrorKey],
            let conflicts = GivenValues.elements(given) as? [NSMergeConflict], !conflicts.isEmpty
        else { return nil }
        let objects = Set(conflicts.map(\.sourceObject))
        let own = [inserted.joined(), updated.joined(), deleted.joined()].joined()
        guard objects.subtracting(own).subtracting(reinserted).subtracting(checked).isEmpty else { return nil }
        let list = try model.entities.flatMap { entity in
            let own = objects.filter { $0.layout === entity }
            return own.isEmpty ? [] : try conflicting(own.sorted { $0.key < $1.key }, entity)
        }
        return VersionConflicts(list: list)
    }

    /// Objects to be inserted again whose rows others have inserted again in the meantime.
    private func returned() throws -> [VersionConflict] {
        try model.entities.flatMap { entity in
            let own = reinserted.filter { $0.layout === entity }
            return own.isEmpty ? [] : try conflicting(own, entity).filter { $0.fresh != nil }
        }
    }

    private func changedObjects(among objects: [NSManagedObject]) throws -> [VersionConflict] {
        try model.entities.flatMap { entity in
            let own = objects.filter { $0.layout === entity }
            return own.isEmpty ? [] : try conflicting(own, entity).filter { $0.fresh?.version != $0.base?.version }
        }
    }

    private func vacateUniqueValues(_ transaction: any SaveTransaction) throws {
        let constraints = UniquenessConstraints(model)
        for entity in model.entities where !updated[entity.index].isEmpty {
            let slots = constraints.slots(of: entity)
            guard !slots.isEmpty else { continue }
            var keys: [[Int]: [Int64]] = [:]
            for object in updated[entity.index] {
                let changed = slots.filter(object.markedSlots.contains)
                if !changed.isEmpty { keys[changed, default: []].append(object.key) }
            }
            for (slots, keys) in keys { try transaction.vacate(slots, keys: keys, entity: entity) }
        }
    }
}

extension RecentWrites.Entry {
    fileprivate mutating func append(_ changes: [RowChange], isDeletion: Bool) {
        for change in changes {
            keys.append(change.key)
            versions.append(isDeletion ? 0 : change.expectedVersion &+ 1)
        }
    }
}

extension [NSManagedObject] {
    /// Calls `body` with a few objects after the other. What is done to an object in several passes then finds its row
    /// in the processor's cache.
    fileprivate func forEachBatch(_ body: (ArraySlice<NSManagedObject>) throws -> Void) rethrows {
        let size = 256
        for start in stride(from: 0, to: count, by: size) { try body(self[start..<Swift.min(start + size, count)]) }
    }

    fileprivate var isSortedByKey: Bool {
        var isSorted = true
        var last = Int64.min
        forEachUnretained {
            if $0.key < last { isSorted = false }
            last = $0.key
        }
        return isSorted
    }
}

extension NSManagedObject {
    /// The version of the row as last read or saved.
    final var savedVersion: Int64 { (snapshot ?? row)?.version ?? 0 }
}

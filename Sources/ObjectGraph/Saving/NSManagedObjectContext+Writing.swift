import DataModel
import Foundation
import FoundationGaps
import Storage

extension NSManagedObjectContext {
    /// One attempt of a save. If others change its rows before it can write them, there is another attempt.
    private struct Attempt {
        private static let greatestNumber = 100
        private var number = 1
        /// Whether unique values are cleared first, because two objects may exchange theirs.
        var vacatesUniqueValues = false

        var isLast: Bool { number == Self.greatestNumber }

        mutating func end() { number += 1 }
    }

    /// Writes the changes, and resolves conflicts by the merge policy until there are none.
    ///
    /// - Parameter willWrite: called before each attempt.
    /// - Returns: the written objects, for the notifications.
    final func saveUntilNoConflict(_ willWrite: () -> Void) throws -> ChangeSets {
        var attempt = Attempt()
        defer {
            moment.readsNewest = false
            merging.forgetConflicts()
        }
        while true {
            let sets = changeLists.savedSets
            _ = saving.takeVanished()
            willWrite()
            var source = RoundSource.merge(by: nil)
            do {
                try write(attempt)
                merging.forgetOthers()
                saving.forgetAssignedStores()
                _ = event.takeQuietlyChanged()
                return sets
            } catch let failure as VersionConflicts {
                noteConflict()
                try resolve(failure, attempt)
            } catch let failure as ConstraintFailure {
                noteConflict()
                // The context's own values go to another row.
                source = RoundSource(origin: .local, author: transactionAuthor, isUndoable: false)
                try resolve(failure, &attempt)
            } catch let outcome as InconsistentOutcome {
                guard !attempt.isLast else { throw inconsistencyError(outcome.flaws.count) }
                defer { changeLists.compact() }
                try mend(outcome)
            }
            attempt.end()
            // The values that the steps would restore were overruled, or belong to an object that was replaced by
            // another.
            undoing.manager?.removeAllActions(withTarget: self)
            // Users can't undo what others did and what a policy decided.
            callWillSaveOnChanged(as: source)
            processPendingChanges(propagatingDeletes: true, as: source)
            try validate()
        }
    }

    private final func noteConflict() {
        moment.readsNewest = true
        merging.noteConflict(changeLists.updated)
    }

    private final func resolve(_ failure: ConstraintFailure, _ attempt: inout Attempt) throws {
        let conflicts = try ConstraintAnalysis(failure.plan).conflicts()
        guard !conflicts.isEmpty else {
            // This is not a conflict: two objects exchange their values, and one of them was written first.
            guard !attempt.vacatesUniqueValues else { throw failure.error }
            attempt.vacatesUniqueValues = true
            if attempt.isLast { throw NSConstraintConflict.error(conflicts) }
            return
        }
        attempt.vacatesUniqueValues = true
        guard !attempt.isLast else { throw NSConstraintConflict.error(conflicts) }
        defer { changeLists.compact() }
        try merging.policy.resolve(constraintConflicts: conflicts)
    }

    private final func resolve(_ failure: VersionConflicts, _ attempt: Attempt) throws {
        let conflicts = failure.list.map(NSMergeConflict.init)
        guard !attempt.isLast else { throw NSMergeConflict.error(conflicts) }
        do {
            defer { changeLists.compact() }
            try merging.policy.resolve(optimisticLockingConflicts: conflicts)
        }
        // A policy of the application may have left some conflicts unresolved.
        let unresolved = conflicts.filter { isUnresolved($0) }
        guard unresolved.isEmpty else { throw NSMergeConflict.error(unresolved) }
    }

    private final func isUnresolved(_ conflict: NSMergeConflict) -> Bool {
        let object = conflict.sourceObject
        guard object.context === self, object.hasChanges || merging.isChecked(object) || merging.isDoubted(object),
            !object._state.contains(.deletedElsewhere), !merging.isReinserted(object)
        else { return false }
        let base = object.snapshot ?? object.row
        // A row that came back after its deletion may have a version that it had before.
        if let known = conflict.freshRow, let fresh = known, base === fresh { return false }
        return Int(base?.version ?? -1) == conflict.oldVersionNumber
    }

    /// Unchanged objects whose version must not have changed.
    private final var objectsToCheck: [NSManagedObject] {
        var objects = merging.checkedObjects
        if !merging.doubts.isEmpty {
            let partners = Set(merging.doubts.lazy.filter(\.object.hasChanges).map(\.partner)).subtracting(objects)
            objects += partners.filter { $0.row != nil && !$0._state.contains(.gone) }.sorted { $0.key < $1.key }
        }
        return objects.filter { $0.context === self && !$0.hasChanges }
    }

    private final func write(_ attempt: Attempt) throws {
        guard !changeLists.areEmpty || !merging.checkedObjects.isEmpty else {
            // A child has no stores of its own.
            if parent == nil {
                for store in persistentStoreCoordinator?.persistentStores ?? [] { try store.saveNothing(in: self) }
            }
            return
        }
        // Hooks and merge policies must not have relied on missing values.
        try requireEverythingProcessed()
        if let parent { return try pushChanges(to: parent) }
        guard let coordinator = persistentStoreCoordinator else {
            throw NSError.coreData(
                NSPersistentStoreSaveError, "\(self) can't be saved: it has neither a persistentStoreCoordinator nor a parent")
        }
        try loadMissingRows()
        let plans = try assignToStores(of: coordinator, attempt)
        // The transactions of stores of programs' classes are the innermost: those of others can still be undone then.
        let stores = coordinator.persistentStores
        let ordered = (stores.filter { !$0.isRegistered } + stores.filter(\.isRegistered)).compactMap {
            plans[ObjectIdentifier($0)]
        }
        for store in coordinator.persistentStores where plans[ObjectIdentifier(store)] == nil && store.hasUnsavedMetadata {
            try store.saveNothing(in: self)
        }
        if coordinator.persistentStores.count > 1 { for plan in ordered { try plan.requireOwnDestinations(coordinator) } }
        try commitNested(ordered)
        NSManagedObject.leaveContext(changeLists.deleted.filter { $0._state.contains(.deletedElsewhere) })
    }

    /// Makes a plan for each store with changes.
    private final func assignToStores(
        of coordinator: NSPersistentStoreCoordinator, _ attempt: Attempt
    ) throws -> [ObjectIdentifier: SavePlan] {
        var plans: [ObjectIdentifier: SavePlan] = [:]
        func plan(_ store: NSPersistentStore) -> SavePlan {
            if let plan = plans[ObjectIdentifier(store)] { return plan }
            let plan = SavePlan(self, store, vacatesUniqueValues: attempt.vacatesUniqueValues)
            plans[ObjectIdentifier(store)] = plan
            return plan
        }
        // Objects of one registry go to one store, unless another one was chosen. They usually come one after the
        // other.
        var last: (record: UnsafeMutableRawPointer, plan: SavePlan)?
        func plan(for object: NSManagedObject, in store: (NSManagedObject) throws -> NSPersistentStore) rethrows -> SavePlan {
            let record = UnsafeMutableRawPointer(object.registry.record)
            if let last, last.record == record, !saving.hasAssignedStores { return last.plan }
            let plan = plan(try store(object))
            last = (record, plan)
            return plan
        }
        try changeLists.inserted.forEachUnretained { try plan(for: $0, in: coordinator.storeForNewObject).insert($0) }
        try changeLists.updated.forEachUnretained { try plan(for: $0, in: storeOf).update($0) }
        try changeLists.deleted.forEachUnretained {
            if !$0._state.contains(.deletedElsewhere) { try plan(for: $0, in: storeOf).delete($0) }
        }
        for object in objectsToCheck { plan(try storeOf(object)).check(object) }
        return plans
    }

    /// Writes all stores, or none: each store's transaction ends inside that of the one before.
    private final func commitNested(_ plans: [SavePlan]) throws {
        func commit(from index: Int) throws {
            guard index < plans.count else { return }
            try plans[index].write { try commit(from: index + 1) }
        }
        do {
            try commit(from: 0)
        } catch {
            // This is the one gap: a store may fail to commit after others have committed.
            for plan in plans where plan.isCommitted { plan.finish() }
            changeLists.compact()
            throw error
        }
        for plan in plans { plan.finish() }
    }

    /// The versions of objects that were changed or deleted without being loaded are needed for the optimistic check.
    private final func loadMissingRows() throws {
        var vanished: [VersionConflict] = []
        try changeLists.updated.forEachUnretained { object in
            if object.row == nil { object.row = try rowToChange(object) }
            guard object.row != nil else {
                vanished.append(try vanishedRow(object))
                return
            }
            // The version will change, and rows that others may see must not change.
            object.makeDraftIfNeeded()
        }
        // A deleted object whose row is gone needs no check.
        for object in changeLists.deleted where object.row == nil && !object._state.contains(.deletedElsewhere) {
            object.row = try rowToChange(object)
            if object.row == nil { saving.noteVanished([object]) }
        }
        if !vanished.isEmpty { throw VersionConflicts(list: vanished) }
    }

    /// The row on which the context's changes were made, or else the newest one.
    private final func rowToChange(_ object: NSManagedObject) throws -> Row? {
        let store = try storeOf(object)
        do {
            if let generation = generationToRead,
                let row = try store.loadRow(object.layout, key: object.key, in: generation)
            {
                return row
            }
            return try store.loadRow(object.layout, key: object.key)
        } catch {
            throw ReadingFailure(object, property: nil, error)
        }
    }

    private final func vanishedRow(_ object: NSManagedObject) throws -> VersionConflict {
        let known = try storeOf(object).recentWrites.versions(of: [object.key], root: object.layout.root)
        return VersionConflict(object: object, base: nil, fresh: nil, isKnown: known[object.key] == 0)
    }
}

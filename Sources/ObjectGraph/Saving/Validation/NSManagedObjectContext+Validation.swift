import DataModel
import Foundation
import Storage

extension NSManagedObjectContext {
    /// Validates all objects to be saved, and does so again while validation makes changes.
    final func validate() throws {
        var passes = 0
        while true {
            changeLists.compact()
            leaveDeletedDestinations()
            // A value may seem to be missing because it could not be read.
            let (errors, failures) = collectingFailures { validationErrors() }
            if let failure = failures.first { throw failure }
            // A single error is thrown as it is, because a Swift error would lose its type as an NSError.
            if errors.count == 1 { throw errors[0] }
            if !errors.isEmpty { throw NSManagedObject.combined(errors.map { $0 as NSError }) }
            guard changeLists.hasEvent else { return }
            passes += 1
            guard passes < 1000 else {
                throw NSError.coreData(
                    NSManagedObjectValidationError,
                    "The validation of \(self) changes objects at each call: replace a value only if it is not valid")
            }
            processPendingChanges(propagatingDeletes: true)
        }
    }

    /// Applies the delete rules to changed objects that the deleted ones do not know.
    private final func leaveDeletedDestinations() {
        guard !changeLists.deleted.isEmpty else { return }
        for object in changeLists.inserted { object.leaveDeletedDestinations() }
        for object in changeLists.updated { object.leaveDeletedDestinations() }
        guard changeLists.hasEvent else { return }
        processPendingChanges(propagatingDeletes: true)
        changeLists.compact()
    }

    private final func validationErrors() -> [any Error] {
        var errors: [any Error] = []
        func check(_ objects: ContiguousArray<NSManagedObject>, _ validate: (NSManagedObject) throws -> Void) {
            objects.forEachUnretained {
                // The validation of an earlier object may have reset the context.
                guard $0.isInReach else { return }
                do { try validate($0) } catch { errors.append(error) }
                guard $0.links != nil, !$0._state.contains(.deleted) else { return }
                let dangling = $0.danglingReferences()
                if !dangling.isEmpty { errors += dangling as [any Error] }
            }
        }
        check(changeLists.deleted) { if !$0._state.contains(.deletedElsewhere) { try $0.validateForDelete() } }
        check(changeLists.inserted) { object in
            if object.isFault { _ = object._loadedSlots }
            guard !object.layout.isAbstract else {
                throw NSError.coreData(
                    NSManagedObjectValidationError,
                    "An object of the abstract entity “\(object.layout.name)” can't be saved (\(object.objectID))",
                    [NSValidationObjectErrorKey: object])
            }
            try object.validateForInsert()
        }
        check(changeLists.updated) { try $0.validateForUpdate() }
        return errors
    }
}

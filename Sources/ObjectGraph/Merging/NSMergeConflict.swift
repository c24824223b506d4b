import DataModel
public import Foundation
import Storage

/// A changed or deleted object whose row is no longer the one that the context read.
///
/// If another context of the same coordinator wrote the row, ``cachedSnapshot`` has the new values, ``objectSnapshot``
/// those that the context had read, and ``persistedSnapshot`` is nil. If another coordinator or process wrote it,
/// ``cachedSnapshot`` has what this coordinator had read, ``persistedSnapshot`` the new values, and ``objectSnapshot``
/// is nil.
///
/// Snapshots have attributes and to-one relationships by name: nil as `NSNull`, destinations as ``NSManagedObjectID``.
/// The snapshot of a row that was deleted is nil.
///
/// There is no row cache here: what a coordinator "had read" is what the context had read.
open class NSMergeConflict: NSObject {
    /// The object that can't be saved as it is.
    public final let sourceObject: NSManagedObject
    /// The values that the context had read; nil if another coordinator or process wrote the row.
    public final let objectSnapshot: [String: Any]?
    /// The newer values that another context of the coordinator wrote, or what the coordinator had read if the row was
    /// written from elsewhere.
    public final let cachedSnapshot: [String: Any]?
    /// The values that another coordinator or process wrote.
    public final let persistedSnapshot: [String: Any]?
    /// The version of the row in the store; 0 if it was deleted.
    public final let newVersionNumber: Int
    /// The version that the context had read.
    public final let oldVersionNumber: Int

    /// The row in the store, if the conflict came out of a save; nil inside if it was deleted.
    final let freshRow: Row??
    /// Whether `resolve(mergeConflicts:)` has the conflict already.
    final var isForwarded = false

    /// Makes a conflict. ``objectSnapshot`` is what the source object had last fetched or saved, unless there are both
    /// other snapshots.
    ///
    /// - Parameters:
    ///   - srcObject: The object.
    ///   - newvers: The version of the row in the store; 0 if it was deleted.
    ///   - oldvers: The version that the context had read.
    ///   - cachesnap: What the coordinator knows of the row.
    ///   - persnap: What the store has, if that is news to the coordinator.
    public init(
        source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int,
        cachedSnapshot cachesnap: [String: Any]?,
        persistedSnapshot persnap: [String: Any]?
    ) {
        sourceObject = srcObject
        newVersionNumber = newvers
        oldVersionNumber = oldvers
        cachedSnapshot = cachesnap
        persistedSnapshot = persnap
        objectSnapshot = cachesnap != nil && persnap != nil ? nil : srcObject.snapshotOfSavedValues
        freshRow = nil
        super.init()
    }

    init(_ conflict: VersionConflict) {
        let (object, isKnown) = (conflict.object, conflict.isKnown)
        let read = conflict.base.map(object.snapshotValues)
        let fresh = conflict.fresh.map(object.snapshotValues)
        sourceObject = object
        newVersionNumber = Int(conflict.fresh?.version ?? 0)
        oldVersionNumber = Int(conflict.base?.version ?? 0)
        objectSnapshot = isKnown ? read : nil
        cachedSnapshot = isKnown ? fresh : read
        persistedSnapshot = isKnown ? nil : fresh
        freshRow = .some(conflict.fresh)
        super.init()
    }

    /// The error of a save that fails because of conflicts.
    static func error(_ conflicts: [NSMergeConflict]) -> NSError {
        let lines = conflicts.prefix(5).map { "  " + $0.description } + (conflicts.count > 5 ? ["  …"] : [])
        return .coreData(
            NSManagedObjectMergeError,
            "\(conflicts.count) object(s) to be saved were changed or deleted in the store since they were read:\n"
                + lines.joined(separator: "\n"),
            [
                NSPersistentStoreSaveConflictsErrorKey: conflicts,
                NSAffectedObjectsErrorKey: conflicts.map(\.sourceObject),
            ])
    }

    /// The object and both versions.
    open override var description: String {
        let new = newVersionNumber == 0 ? "deleted" : "version \(newVersionNumber)"
        return
            "<\(type(of: self)) “\(sourceObject.entity.name ?? "")” \(sourceObject.objectID): read as version \(oldVersionNumber), now \(new)>"
    }
}

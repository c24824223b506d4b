import DataModel
public import Foundation
import Storage

/// Objects to be saved that have the same values of a uniqueness constraint as each other or as a row of the store.
///
/// Snapshots have attributes and to-one relationships by name: nil as `NSNull`, destinations as ``NSManagedObjectID``.
open class NSConstraintConflict: NSObject {
    /// The names of the properties whose values together must be unique.
    public final let constraint: [String]
    /// The values of these properties, by name.
    public final let constraintValues: [String: Any]
    /// The object of the row that has the values; nil if only objects of the context have them.
    public final let databaseObject: NSManagedObject?
    /// The values of the row.
    public final let databaseSnapshot: [String: Any]?
    /// The objects to be saved that have the values.
    public final let conflictingObjects: [NSManagedObject]
    /// The values of these objects when the conflict was found.
    public final let conflictingSnapshots: [[AnyHashable: Any]]

    /// Whether `resolve(mergeConflicts:)` has the conflict already.
    final var isForwarded = false

    /// Makes a conflict.
    ///
    /// - Parameters:
    ///   - constraint: The names of the properties.
    ///   - database: The object of the row that has the values, if there is one.
    ///   - databaseSnapshot: That row's values.
    ///   - conflicting: The objects to be saved that have the values.
    ///   - conflictingSnapshots: Their values: dictionaries by name.
    public init(
        constraint: [String], database: NSManagedObject?, databaseSnapshot: [AnyHashable: Any]?, conflicting: [NSManagedObject],
        conflictingSnapshots: [Any]
    ) {
        self.constraint = constraint
        databaseObject = database
        conflictingObjects = conflicting
        self.conflictingSnapshots = conflictingSnapshots.compactMap { $0 as? [AnyHashable: Any] }
        self.databaseSnapshot = databaseSnapshot.map { snapshot in
            Dictionary(
                snapshot.compactMap { name, value in (name as? String).map { ($0, value) } },
                uniquingKeysWith: { first, _ in first })
        }
        let holder = conflicting.first ?? database
        constraintValues = Dictionary(
            constraint.map { ($0, holder?.value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
        super.init()
    }

    /// The error of a save that fails because of conflicts.
    static func error(_ conflicts: [NSConstraintConflict]) -> NSError {
        let lines = conflicts.prefix(5).map { "  " + $0.description } + (conflicts.count > 5 ? ["  …"] : [])
        return .coreData(
            NSManagedObjectConstraintMergeError,
            "\(conflicts.count) uniqueness constraint(s) would be violated:\n" + lines.joined(separator: "\n"),
            [
                NSPersistentStoreSaveConflictsErrorKey: conflicts,
                NSAffectedObjectsErrorKey: conflicts.flatMap(\.conflictingObjects),
            ])
    }

    /// The values, and the objects that have them.
    open override var description: String {
        let values = constraint.map { "\($0) = \(constraintValues[$0] ?? NSNull())" }.joined(separator: ", ")
        let entity = (conflictingObjects.first ?? databaseObject)?.entity.name ?? ""
        let row = databaseObject.map { " and \($0.objectID) in the store" } ?? ""
        return
            "<\(type(of: self)) “\(entity)” (\(values)): \(conflictingObjects.map { "\($0.objectID)" }.joined(separator: ", "))\(row)>"
    }
}

import DataModel
public import Foundation

/// Determines what a save does when the store has changed since the context read it, or when values that must be unique
/// are not.
///
/// Subclass it for rules of your own: override ``resolve(optimisticLockingConflicts:)`` or
/// ``resolve(constraintConflicts:)``, call `super`, and then change the conflicts' objects as you like. These changes
/// are part of the save. A policy is called on the queue of the context that saves.
///
/// If the save fails nevertheless, changes that a policy made to the objects are not undone.
open class NSMergePolicy: NSObject {
    /// The way in which the policy resolves conflicts.
    public final let mergeType: NSMergePolicyType

    /// Makes a policy of a type.
    public init(merge ty: NSMergePolicyType) {
        mergeType = ty
        super.init()
    }

    // Constant objects without anything that changes.
    nonisolated(unsafe) private static let errorPolicy = NSMergePolicy(merge: .errorMergePolicyType)
    nonisolated(unsafe) private static let storeTrumpPolicy = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
    nonisolated(unsafe) private static let objectTrumpPolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    nonisolated(unsafe) private static let overwritePolicy = NSMergePolicy(merge: .overwriteMergePolicyType)
    nonisolated(unsafe) private static let rollbackPolicy = NSMergePolicy(merge: .rollbackMergePolicyType)

    /// The save fails and the error has all conflicts. The default of every context.
    public class var error: NSMergePolicy { errorPolicy }

    /// Changes of objects that are in conflict are dropped, and the objects have the store's values.
    public class var rollback: NSMergePolicy { rollbackPolicy }

    /// Objects that are in conflict are written whole, unchanged properties included.
    public class var overwrite: NSMergePolicy { overwritePolicy }

    /// Property by property, the context's changes win over changes in the store.
    public class var mergeByPropertyObjectTrump: NSMergePolicy { objectTrumpPolicy }

    /// Property by property, changes in the store win over the context's changes.
    public class var mergeByPropertyStoreTrump: NSMergePolicy { storeTrumpPolicy }

    /// Resolves conflicts of both kinds. The methods that a save calls call this one, unless they are overridden.
    ///
    /// - Parameter list: ``NSMergeConflict`` and ``NSConstraintConflict`` objects.
    /// - Throws: 133020 or 133021 for a policy of the error type, and if a conflict can't be resolved. The save fails
    ///   with it.
    open func resolve(mergeConflicts list: [Any]) throws {
        try resolveVersions(list.compactMap { $0 as? NSMergeConflict })
        try resolveConstraints(list.compactMap { $0 as? NSConstraintConflict })
    }

    /// Resolves conflicts between changed or deleted objects and rows that others changed or deleted. Called by a save.
    ///
    /// - Parameter list: The conflicts.
    /// - Throws: 133020 for a policy of the error type, and if a conflict can't be resolved. The save fails with it.
    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        // A subclass may override only the older method, or both so that one calls the other.
        guard list.contains(where: { !$0.isForwarded }) else { return try resolveVersions(list) }
        for conflict in list { conflict.isForwarded = true }
        defer { for conflict in list { conflict.isForwarded = false } }
        try resolve(mergeConflicts: list)
    }

    /// Resolves conflicts between objects that have the same values of a uniqueness constraint. Called by a save.
    ///
    /// - Parameter list: The conflicts.
    /// - Throws: 133021 for a policy of the error type, and if a conflict can't be resolved. The save fails with it.
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        guard list.contains(where: { !$0.isForwarded }) else { return try resolveConstraints(list) }
        for conflict in list { conflict.isForwarded = true }
        defer { for conflict in list { conflict.isForwarded = false } }
        try resolve(mergeConflicts: list)
    }

    private final func resolveVersions(_ conflicts: [NSMergeConflict]) throws {
        guard !conflicts.isEmpty else { return }
        guard mergeType != .errorMergePolicyType else { throw NSMergeConflict.error(conflicts) }
        let resolutions = conflicts.map { VersionResolution($0, mergeType) }
        for resolution in resolutions { try resolution.prepare() }
        for resolution in resolutions { try resolution.apply() }
        let objects = conflicts.map(\.sourceObject)
        guard let context = objects.first(where: { $0.context != nil })?.context else { return }
        context.forget(objects.filter { $0._state.contains(.deletedElsewhere) })
        for object in objects where object.context != nil && !object.isDeleted && !object.isFault {
            object.giveUpDeletedDestinations()
            object.giveUpTakenPartners()
        }
        context.applyDeleteRulesAgain(to: objects.filter(\.isDeleted))
    }

    private final func resolveConstraints(_ conflicts: [NSConstraintConflict]) throws {
        guard !conflicts.isEmpty else { return }
        guard mergeType != .errorMergePolicyType else { throw NSConstraintConflict.error(conflicts) }
        try ConstraintResolution(conflicts, mergeType).apply()
    }

    /// The policy's type.
    open override var description: String { "<\(type(of: self)) \(mergeType)>" }
}

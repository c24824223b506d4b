import DataModel
import Storage

/// Changes that were made to a copy of a to-many relationship. Only members that come or go cost something.
extension NSManagedObject {
    /// Adds and removes members, with their inverses, so that an unordered relationship has the members of a changed
    /// set.
    ///
    /// - Parameters:
    ///   - members: The relationship's members.
    ///   - touched: Objects among which are all that have come or gone.
    ///   - count: The number of objects in the set.
    ///   - view: The typed layer's view of the set.
    ///   - isWanted: Whether the set has an object.
    /// - Returns: false if the change is not known from these objects. Nothing was done then.
    package final func change(
        _ members: _ToManyObjects, touched: [NSManagedObject], count: Int, view: AnyObject, _ isWanted: (NSManagedObject) -> Bool
    ) -> Bool {
        guard members.isLoaded, !_state.contains(.awakening) else { return false }
        let changed = touched.filter { isWanted($0) != members.contains($0) }
        let (added, removed) = (changed.filter(isWanted), changed.filter { !isWanted($0) })
        guard members.count + added.count - removed.count == count else { return false }
        change(members, removing: removed, adding: added, at: nil, view: view)
        return true
    }

    /// Adds and removes members, with their inverses, so that an ordered relationship has the members of a changed
    /// array.
    ///
    /// - Parameters:
    ///   - members: The relationship's members.
    ///   - wanted: The objects of the array.
    ///   - view: The typed layer's view of the array.
    /// - Returns: false if objects have moved, come twice, or were changed in many places. Nothing was done then.
    package final func change(
        _ members: _ToManyObjects, to wanted: UnsafeBufferPointer<Unmanaged<NSManagedObject>>, view: AnyObject
    ) -> Bool {
        guard members.isLoaded, !_state.contains(.awakening) else { return false }
        let (old, new) = members.differingRanges(wanted)
        guard old.count <= Self.greatestEdit, new.count <= Self.greatestEdit else { return false }
        let removed = Array(members.objects[old])
        let added = new.map { wanted[$0].takeUnretainedValue() }
        guard Set(added.map(ObjectIdentifier.init)).count == added.count, !added.contains(where: members.contains) else {
            return false
        }
        change(members, removing: removed, adding: added, at: new.lowerBound, view: view)
        return true
    }

    /// Setting a relationship to another array costs less than that many changes one by one.
    private static var greatestEdit: Int { 64 }

    private final func change(
        _ members: _ToManyObjects, removing removed: [NSManagedObject], adding added: [NSManagedObject], at index: Int?,
        view: AnyObject
    ) {
        let relationship = members.relationship
        let version = members.version
        settingRelationship(relationship.slot) {
            for object in removed.reversed() { removeObject(object, from: relationship) }
            for (offset, object) in added.enumerated() { addObject(object, to: relationship, at: index.map { $0 + offset }) }
        }
        // Observers may have changed more, and some objects can't be members.
        let isAsWanted = members.version == version + removed.count + added.count && added.allSatisfy(members.contains)
        if isAsWanted { members.typedView = view }
    }
}

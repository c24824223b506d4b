import DataModel
import Foundation
import Storage

/// The members of one object's to-many relationship. They are loaded from the store when first needed, and have the
/// changes made since.
///
/// The typed layer reads it through `NSManagedObject._toMany(_:)`. Confined to the context's queue, as its owner is.
public final class _ToManyObjects {
    private unowned let owner: NSManagedObject
    let relationship: RelationshipLayout
    package private(set) var isLoaded: Bool
    /// Whether the store's members could not be read. Then the members are those that were added. The store's members
    /// come before them once they are read.
    private(set) var isUnread = false
    private var members: [NSManagedObject] = []
    /// The position of each member in `members`, as it was noted. Made when first needed.
    private var positions: [ObjectIdentifier: Int]?
    /// How far a member may be from its noted position: each insertion or removal in the middle moves others by one.
    private var drift = 0
    private static let greatestDrift = 256
    /// The members that are not in the last saved state, and those of the last saved state that were removed.
    private(set) var added: [ObjectIdentifier: NSManagedObject] = [:]
    private(set) var removed: [ObjectIdentifier: NSManagedObject] = [:]
    /// While not loaded: the added members, in order.
    private var pending: [NSManagedObject] = []
    private(set) var isReordered = false
    /// While not loaded: the order that a change gave to the members.
    private var order: [NSManagedObject]?
    /// The members of an ordered relationship as last saved; kept from its first change on, as far as they are loaded.
    private var savedOrder: [NSManagedObject]?

    /// Room for the typed layer to keep a view of the members, such as a `Set<Movie>`; nil after each change.
    public var typedView: AnyObject?

    /// Counts the changes, so that a copy of the members can find out whether it is still right.
    package private(set) var version = 0
    /// The ordered set that changed these members in the present event.
    private(set) var keptSet: RelationshipOrderedSet?

    init(owner: NSManagedObject, relationship: RelationshipLayout, isLoaded: Bool) {
        self.owner = owner
        self.relationship = relationship
        self.isLoaded = isLoaded
    }

    /// Whether the members have an order.
    public var isOrdered: Bool { relationship.isOrdered }

    /// How many members there are. Loads them.
    var count: Int { objects.count }

    /// The members, in order if the relationship is ordered. Loads them.
    public var objects: [NSManagedObject] {
        load()
        return isLoaded ? members : knownObjects
    }

    /// The members. Throws if they can't be read.
    func loadedObjects() throws -> [NSManagedObject] {
        try loadIfNeeded()
        return members
    }

    private var knownObjects: [NSManagedObject] { pending.filter { added[ObjectIdentifier($0)] != nil } }

    /// Whether there is a change since the last save.
    var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || isReordered }

    /// Whether the members or their order differ from those at the last save.
    var differs: Bool {
        guard added.isEmpty, removed.isEmpty, isReordered else { return hasChanges }
        guard isLoaded, let savedOrder else { return true }
        return !members.elementsEqual(savedOrder, by: ===)
    }

    /// What was added and removed since the last save.
    var unsavedMembers: UnsavedMembers { UnsavedMembers(added: Set(added.keys), removed: Set(removed.keys)) }

    /// Must be called before the members of an ordered relationship change.
    private func keepSavedOrder() {
        if isOrdered, isLoaded, savedOrder == nil, !hasChanges { savedOrder = members }
    }

    func contains(_ object: NSManagedObject) -> Bool {
        load()
        return isLoaded ? position(of: object) != nil : added[ObjectIdentifier(object)] != nil
    }

    private func load() {
        guard !isLoaded, !isUnread || owner.context?.reading.isCollecting == true else { return }
        do { try loadIfNeeded() } catch { fail(error) }
    }

    private func loadIfNeeded() throws {
        guard !isLoaded else { return }
        isLoaded = true
        do {
            take(try owner.loadMembers(of: relationship))
        } catch {
            isLoaded = false
            throw error
        }
        noteRead()
    }

    private func fail(_ error: any Error) {
        guard !owner.isInaccessible else {
            isLoaded = true
            return take([])
        }
        isUnread = true
        let failure = error as? ReadingFailure ?? ReadingFailure(owner, property: relationship.name, error)
        owner.context?.note(failure) { [self] in if !isLoaded { isUnread = false } }
    }

    /// Notes that the store's members were read.
    private func noteRead() {
        owner.context?.reading.forget(owner, relationship.name)
        if isUnread { didChange() }
        isUnread = false
    }

    /// Sets the members to those of the store, which were loaded for several owners at once, and applies the changes
    /// made here.
    func adopt(_ stored: [NSManagedObject]) {
        guard !isLoaded else { return }
        isLoaded = true
        take(stored)
        noteRead()
    }

    private func take(_ stored: [NSManagedObject]) {
        var stored = stored
        if hasChanges {
            if isOrdered { savedOrder = stored }
            let present = Set(stored.map(ObjectIdentifier.init))
            // A member that the store has already is not a change on either side.
            for object in added.values where present.contains(ObjectIdentifier(object)) { agree(on: object) }
            for object in removed.values where !present.contains(ObjectIdentifier(object)) && !object.isDeleted {
                agree(on: object)
            }
            stored.removeAll { removed[ObjectIdentifier($0)] != nil }
            stored += pending.filter { added[ObjectIdentifier($0)] != nil }
            pending.removeAll()
        }
        members = stored
        positions = nil
        guard let order else { return }
        self.order = nil
        sort(by: order)
    }

    /// The position of a member; nil if the object is not a member. The members must be loaded.
    func position(of object: NSManagedObject) -> Int? {
        if positions == nil || drift > Self.greatestDrift { notePositions() }
        guard let noted = positions?[ObjectIdentifier(object)] else { return nil }
        return drift == 0 ? noted : members.position(of: object, near: noted, within: drift)
    }

    /// The ranges of the members and of another list between their common beginning and their common end. The members
    /// must be loaded.
    func differingRanges(_ others: UnsafeBufferPointer<Unmanaged<NSManagedObject>>) -> (own: Range<Int>, other: Range<Int>) {
        members.withUnsafeBufferPointer { members in
            // An unmanaged reference has the representation of a reference, and reading it does not retain the object.
            members.withMemoryRebound(to: Unmanaged<NSManagedObject>.self) { own in
                var start = 0
                while start < own.count, start < others.count, own[start].toOpaque() == others[start].toOpaque() { start += 1 }
                var (ownEnd, otherEnd) = (own.count, others.count)
                while ownEnd > start, otherEnd > start, own[ownEnd - 1].toOpaque() == others[otherEnd - 1].toOpaque() {
                    (ownEnd, otherEnd) = (ownEnd - 1, otherEnd - 1)
                }
                return (start..<ownEnd, start..<otherEnd)
            }
        }
    }

    private func notePositions() {
        var made: [ObjectIdentifier: Int] = [:]
        made.reserveCapacity(members.count)
        var position = 0
        members.forEachUnretained { member in
            if let first = made.updateValue(position, forKey: ObjectIdentifier(member)) { made[ObjectIdentifier(member)] = first }
            position += 1
        }
        positions = made
        drift = 0
    }

    private func didChange() {
        typedView = nil
        version += 1
    }

    /// Keeps a set for the next caller, so that changing a large relationship through one set after another needs no
    /// copy each time.
    ///
    /// The set holds the owner, so it must not stay: the context drops it when it processes pending changes.
    func keepUntilEventEnds(_ set: RelationshipOrderedSet, _ owner: NSManagedObject) {
        guard keptSet !== set, let context = owner.context else { return }
        if keptSet == nil { context.event.noteKeptSet(of: self) }
        keptSet = set
    }

    func dropKeptSet() { keptSet = nil }

    // MARK: Changes, without their inverse

    /// - Parameter isBlind: whether the loaded values don't show if the store has the object as a member. If such an
    ///   object was removed before, it may never have been a member in the store, so it is noted as added.
    /// - Returns: false if the object was a member already, as far as is known without loading.
    @discardableResult
    func insert(_ object: NSManagedObject, at index: Int? = nil, isBlind: Bool = false) -> Bool {
        let id = ObjectIdentifier(object)
        // A member that comes back to an ordered relationship goes to the end, not to its old place.
        if index != nil || isOrdered && removed[id] != nil { load() }
        if isLoaded {
            guard position(of: object) == nil else { return false }
            keepSavedOrder()
            if let index, index < members.count {
                positions?[id] = index
                drift += 1
                members.insert(object, at: index)
                isReordered = true
            } else {
                positions?[id] = members.count
                members.append(object)
            }
        } else {
            guard added[id] == nil else { return false }
            if removed[id] == nil || isBlind { pending.append(object) }
        }
        if removed.removeValue(forKey: id) == nil || isBlind && !isLoaded {
            added[id] = object
        } else if isOrdered {
            isReordered = true
        }
        didChange()
        return true
    }

    /// - Parameter isBlind: whether the loaded values don't show if the store has the object as a member. If such an
    ///   object was added before, the store may have had it all the time, so it is noted as removed.
    /// - Returns: false if the object is known not to be a member.
    @discardableResult
    func remove(_ object: NSManagedObject, isBlind: Bool = false) -> Bool {
        let id = ObjectIdentifier(object)
        if isLoaded {
            guard let index = position(of: object) else { return false }
            keepSavedOrder()
            takeOut(index)
        } else {
            guard removed[id] == nil else { return false }
            if added[id] != nil {
                // Undo removes the last one first.
                if pending.last === object { pending.removeLast() } else { pending.removeAll { $0 === object } }
            }
        }
        if added.removeValue(forKey: id) == nil || isBlind && !isLoaded { removed[id] = object }
        didChange()
        return true
    }

    private func takeOut(_ index: Int) {
        let id = ObjectIdentifier(members[index])
        if isOrdered || index == members.count - 1 {
            members.remove(at: index)
            positions?[id] = nil
            if index < members.count { drift += 1 }
        } else {
            let last = members.removeLast()
            members[index] = last
            positions?[id] = nil
            positions?[ObjectIdentifier(last)] = index
        }
    }

    /// Sets the members to exactly these objects.
    func replace(with objects: [NSManagedObject]) {
        let wanted = Set(objects.map(ObjectIdentifier.init))
        for member in self.objects where !wanted.contains(ObjectIdentifier(member)) { remove(member) }
        for object in objects { insert(object) }
        if isOrdered { reorder(objects) }
    }

    /// Reorders the members, which stay the same.
    func reorder(_ objects: [NSManagedObject]) {
        load()
        guard isLoaded, !zip(members, objects).allSatisfy({ $0 === $1 }) else { return }
        keepSavedOrder()
        members = objects
        positions = nil
        isReordered = true
        didChange()
    }

    /// Has the members loaded again when they are next read, because others may have changed them. Members stay added
    /// or removed.
    func rebase() {
        if isUnread {
            // The next reading tries again.
            isUnread = false
            didChange()
        }
        guard isLoaded, !owner._state.contains(.inserted), relationship.storage != .transient else { return }
        owner.keepReplacedState()
        savedOrder = nil
        order = isReordered ? members : nil
        pending = members.filter { added[ObjectIdentifier($0)] != nil }
        members = []
        positions = nil
        didChange()
        isLoaded = false
        if isReordered { load() }
    }

    /// Members that are not in the order come last.
    private func sort(by order: [NSManagedObject]) {
        let indices = Dictionary(order.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
        let known = members.filter { indices[ObjectIdentifier($0)] != nil }
        let new = members.filter { indices[ObjectIdentifier($0)] == nil }
        members = known.sorted { (indices[ObjectIdentifier($0)] ?? 0) < (indices[ObjectIdentifier($1)] ?? 0) } + new
    }

    /// Whether the object is known to be a member or a former member, without loading.
    func holds(_ object: NSManagedObject) -> Bool {
        let id = ObjectIdentifier(object)
        return added[id] != nil || removed[id] != nil || isLoaded && position(of: object) != nil
    }

    /// Notes that the store agrees with this side on whether an object is a member.
    private func agree(on object: NSManagedObject) {
        dropChange(of: object)
        guard relationship.storage == .manyToMany,
            let inverse = relationship.inverse.flatMap({ object.layout.relationship(id: $0) })
        else { return }
        object.toManyIfKnown(inverse)?.dropChange(of: owner)
    }

    /// Forgets that an object was added or removed. Loaded members stay as they are. Members that are not loaded will
    /// be those of the store.
    func dropChange(of object: NSManagedObject) {
        let id = ObjectIdentifier(object)
        added[id] = nil
        if removed.removeValue(forKey: id) != nil { savedOrder?.removeAll { $0 === object } }
        pending.removeAll { $0 === object }
    }

    /// Removes an object that is gone from the store, without noting a change.
    func forget(_ object: NSManagedObject) {
        let id = ObjectIdentifier(object)
        added[id] = nil
        removed[id] = nil
        pending.removeAll { $0 === object }
        savedOrder?.removeAll { $0 === object }
        didChange()
        if isLoaded, let index = position(of: object) { takeOut(index) }
    }

    /// Notes all members as added: the store no longer has any of them.
    func addAgain() {
        guard isLoaded else { return }
        savedOrder = nil
        for member in members { added[ObjectIdentifier(member)] = member }
        removed.removeAll()
    }

    /// Notes some members as added: the store no longer has them as members.
    /// - Returns: false if there were no such members.
    func addAgain(where isMeant: (NSManagedObject) -> Bool) -> Bool {
        guard isLoaded else { return false }
        let meant = members.filter { isMeant($0) && added[ObjectIdentifier($0)] == nil }
        guard !meant.isEmpty else { return false }
        for member in meant { added[ObjectIdentifier(member)] = member }
        isReordered = isReordered || isOrdered
        didChange()
        return true
    }

    /// The members as last saved, in their order if the relationship is ordered.
    var committedObjects: [NSManagedObject] {
        let present = objects
        return savedOrder ?? present.filter { added[ObjectIdentifier($0)] == nil } + removed.values
    }

    /// Drops members that were deleted before they were ever saved, if no inverse removed them.
    func removeVanished() {
        guard members.contains(where: { $0._state.contains(.gone) && $0.key < 0 }) else { return }
        members.removeAll { $0._state.contains(.gone) && $0.key < 0 }
        positions = nil
        typedView = nil
    }

    func didSave() {
        added.removeAll()
        removed.removeAll()
        isReordered = false
        savedOrder = nil
        if !isLoaded { pending.removeAll() }
    }
}

extension [NSManagedObject] {
    /// The position of an element that is at most `distance` from a position.
    fileprivate func position(of object: NSManagedObject, near start: Int, within distance: Int) -> Int? {
        for step in 0...distance {
            if start + step < count, self[start + step] === object { return start + step }
            if start - step >= 0, start - step < count, self[start - step] === object { return start - step }
        }
        return nil
    }
}

/// The members of a relationship that were added and removed since the last save.
struct UnsavedMembers: Equatable {
    var added: Set<ObjectIdentifier> = []
    var removed: Set<ObjectIdentifier> = []
}

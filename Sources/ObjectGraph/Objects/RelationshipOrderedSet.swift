import DataModel
import Foundation
import Storage

/// An ordered to-many relationship as a mutable ordered set: reads and changes the relationship itself, with inverses
/// and change tracking.
///
/// Linux Foundation answers many questions of an ordered set from its private storage, without calling overridable
/// methods. So this storage is kept equal to the relationship. It is changed along with the relationship here, and it
/// is filled again after the relationship was changed elsewhere.
final class RelationshipOrderedSet: NSMutableOrderedSet {
    private let owner: NSManagedObject
    private let relationship: RelationshipLayout
    /// The state of the relationship that the storage has; nil while it is being filled.
    private var version: Int? = -1

    init(owner: NSManagedObject, relationship: RelationshipLayout) {
        self.owner = owner
        self.relationship = relationship
        super.init(objects: nil, count: 0)
        synchronize()
    }

    override init(objects: UnsafePointer<AnyObject>?, count cnt: Int) {
        fatalError("A relationship's set can't be made by itself: use NSMutableOrderedSet")
    }

    override init(capacity numItems: Int) { fatalError("A relationship's set can't be made by itself: use NSMutableOrderedSet") }

    required convenience init(arrayLiteral elements: Any...) { self.init(capacity: 0) }

    required init?(coder: NSCoder) { nil }

    private var members: _ToManyObjects { owner.toMany(relationship) }

    private func destination(_ object: Any) -> NSManagedObject {
        guard let object = object as? NSManagedObject else { owner.badDestination(object, relationship) }
        return object
    }

    /// Fills the storage from the relationship, if they differ.
    func synchronize() {
        let members = members
        let objects = members.objects
        guard let version, version != members.version else { return }
        self.version = nil
        super.removeAllObjects()
        super.addObjects(from: objects)
        self.version = members.version
    }

    /// Changes the relationship, and the storage in the same way.
    private func change(_ changeRelationship: () -> Void, _ changeStorage: () -> Void) {
        // Foundation fills its storage through the overridable methods.
        guard version != nil else { return changeStorage() }
        synchronize()
        changeRelationship()
        version = nil
        changeStorage()
        version = members.version
        members.keepUntilEventEnds(self, owner)
    }

    /// Sets the members to the result of `edit`.
    private func edit(_ edit: (NSMutableOrderedSet) -> Void) {
        let copy = NSMutableOrderedSet(array: members.objects)
        edit(copy)
        owner.setToMany(relationship, copy.array.map(destination))
        synchronize()
    }

    // MARK: Reading

    override var count: Int {
        synchronize()
        return super.count
    }

    override func object(at idx: Int) -> Any {
        synchronize()
        return super.object(at: idx)
    }

    override func index(of object: Any) -> Int {
        synchronize()
        return super.index(of: object)
    }

    override func contains(_ object: Any) -> Bool {
        synchronize()
        return super.contains(object)
    }

    // MARK: Changing

    override func insert(_ object: Any, at idx: Int) {
        change {
            guard idx <= members.count else {
                fatalError("\(idx) is not an index in “\(relationship.name)”, which has \(members.count) objects")
            }
            owner.addObject(destination(object), to: relationship, at: idx)
        } _: {
            super.insert(object, at: idx)
        }
    }

    override func add(_ object: Any) {
        change {
            owner.addObject(destination(object), to: relationship)
        } _: {
            super.add(object)
        }
    }

    override func addObjects(from array: [Any]) { for object in array { add(object) } }

    override func removeObject(at idx: Int) {
        change {
            owner.removeObject(members.objects[idx], from: relationship)
        } _: {
            super.removeObject(at: idx)
        }
    }

    override func remove(_ object: Any) {
        guard let object = object as? NSManagedObject else { return }
        change {
            owner.removeObject(object, from: relationship)
        } _: {
            super.remove(object)
        }
    }

    override func replaceObject(at idx: Int, with object: Any) {
        guard version != nil else { return super.replaceObject(at: idx, with: object) }
        guard !contains(object) else { return }
        removeObject(at: idx)
        insert(object, at: idx)
    }

    override func removeAllObjects() {
        change {
            owner.setToMany(relationship, [])
        } _: {
            super.removeAllObjects()
        }
    }

    override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
        edit { $0.exchangeObject(at: idx1, withObjectAt: idx2) }
    }

    override func moveObjects(at indexes: IndexSet, to idx: Int) { edit { $0.moveObjects(at: indexes, to: idx) } }

    override func insert(_ objects: [Any], at indexes: IndexSet) { edit { $0.insert(objects, at: indexes) } }

    override func setObject(_ obj: Any, at idx: Int) {
        if idx == count { insert(obj, at: idx) } else { replaceObject(at: idx, with: obj) }
    }

    override func replaceObjects(in range: NSRange, with objects: UnsafePointer<AnyObject>!, count: Int) {
        edit { $0.replaceObjects(in: range, with: objects, count: count) }
    }

    override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
        edit { $0.replaceObjects(at: indexes, with: objects) }
    }

    override func removeObjects(in range: NSRange) { edit { $0.removeObjects(in: range) } }

    override func removeObjects(at indexes: IndexSet) { edit { $0.removeObjects(at: indexes) } }

    override func removeObjects(in array: [Any]) { edit { $0.removeObjects(in: array) } }

    override func intersect(_ other: NSOrderedSet) {
        // Foundation's method does not end for some sets.
        let kept = members.objects.filter { other.contains($0) }
        owner.setToMany(relationship, kept)
        synchronize()
    }

    override func minus(_ other: NSOrderedSet) { removeObjects(in: other.array) }

    override func union(_ other: NSOrderedSet) { addObjects(from: other.array) }

    override func intersectSet(_ other: Set<AnyHashable>) { intersect(NSOrderedSet(array: other.map(\.base))) }

    override func minusSet(_ other: Set<AnyHashable>) { removeObjects(in: other.map(\.base)) }

    override func unionSet(_ other: Set<AnyHashable>) { addObjects(from: other.map(\.base)) }

    override func sort(comparator cmptr: (Any, Any) -> ComparisonResult) { edit { $0.sort(comparator: cmptr) } }

    override func sort(options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult) {
        edit { $0.sort(options: opts, usingComparator: cmptr) }
    }

    override func sortRange(
        _ range: NSRange, options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult
    ) {
        edit { $0.sortRange(range, options: opts, usingComparator: cmptr) }
    }

    override func sort(using sortDescriptors: [NSSortDescriptor]) { edit { $0.sort(using: sortDescriptors) } }

    override var description: String { "{(\n    \(members.objects.map(\.description).joined(separator: ",\n    "))\n)}" }
}

import DataModel
import Foundation
import Storage

/// A to-many relationship as a mutable set: reads and changes the relationship itself, with inverses and change tracking.
///
/// Linux Foundation builds all of `NSMutableSet` for a subclass from these few methods, with one exception:
/// `as? Set<Movie>` gives an empty set, as it does for Foundation's own `NSCountedSet`. That cast calls nothing that a
/// subclass can override.
final class RelationshipSet: NSMutableSet {
    private let owner: NSManagedObject
    private let relationship: RelationshipLayout

    init(owner: NSManagedObject, relationship: RelationshipLayout) {
        self.owner = owner
        self.relationship = relationship
        super.init(capacity: 0)
    }

    required init(capacity numItems: Int) { fatalError("A relationship's set can't be made by itself: use NSMutableSet") }

    required init?(coder: NSCoder) { nil }

    private var members: _ToManyObjects { owner.toMany(relationship) }

    private func destination(_ object: Any) -> NSManagedObject {
        guard let object = object as? NSManagedObject else { owner.badDestination(object, relationship) }
        return object
    }

    override var count: Int { members.count }

    override func member(_ object: Any) -> Any? {
        guard let object = object as? NSManagedObject, members.contains(object) else { return nil }
        return object
    }

    override func objectEnumerator() -> NSEnumerator { NSArray(array: members.objects).objectEnumerator() }

    override var allObjects: [Any] { members.objects }

    override func add(_ object: Any) { owner.addObject(destination(object), to: relationship) }

    override func remove(_ object: Any) {
        guard let object = object as? NSManagedObject else { return }
        owner.removeObject(object, from: relationship)
    }

    /// Members that stay are not touched.
    override func setSet(_ otherSet: Set<AnyHashable>) { owner.setToMany(relationship, otherSet.map { destination($0.base) }) }

    /// Foundation's description can't print objects.
    override var description: String { "{(\n    \(members.objects.map(\.description).joined(separator: ",\n    "))\n)}" }
}

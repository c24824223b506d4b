import DataModel
import Foundation
import FoundationGaps
import Predicates
import Storage

/// To-many relationships as sets that change them.
extension NSManagedObject {
    final func mutableSet(_ key: String) -> NSMutableSet {
        RelationshipSet(owner: self, relationship: toManyRelationship(key))
    }

    final func mutableOrderedSet(_ key: String) -> NSMutableOrderedSet {
        let relationship = toManyRelationship(key)
        guard relationship.isOrdered else {
            fatalError("The relationship “\(key)” of “\(layout.name)” is not ordered: use mutableSetValue(forKey:)")
        }
        if let kept = toMany(relationship).keptSet {
            kept.synchronize()
            return kept
        }
        return RelationshipOrderedSet(owner: self, relationship: relationship)
    }

    /// The object that has the relationship at the end of a key path.
    final func owner(ofRelationshipAt keyPath: String) -> (owner: NSManagedObject, key: String) {
        guard let dot = keyPath.lastIndex(of: ".") else { return (self, keyPath) }
        let path = String(keyPath[..<dot])
        guard let owner = value(forKeyPath: path) as? NSManagedObject else {
            fatalError("“\(keyPath)” of \(objectID) does not lead to a relationship: the value of “\(path)” is not an object")
        }
        return (owner, String(keyPath[keyPath.index(after: dot)...]))
    }

    private final func toManyRelationship(_ key: String) -> RelationshipLayout {
        guard let relationship = layout.relationship(named: key) else { undefinedKey(key) }
        guard relationship.isToMany else { fatalError("“\(key)” of “\(layout.name)” is not a to-many relationship") }
        return relationship
    }

    // MARK: Announced changes of sets

    final func beginSetChange(of key: String, _ kind: NSKeyValueSetMutationKind, _ objects: Set<AnyHashable>) {
        guard let relationship = layout.relationship(named: key), relationship.isToMany else { return beginChange(of: key) }
        switch kind {
        case .union, .minus:
            _ = _loadedSlots
            keepImage()
            // The set may be large, so only the members among the objects are kept.
            let members = toMany(relationship)
            let known = destinations(objects, relationship).filter(members.contains)
            context?.event.announce(AnnouncedChange(object: ObjectIdentifier(self), slot: relationship.slot), from: known)
        case .intersect, .set:
            beginChange(of: key)
        }
    }

    final func endSetChange(of key: String, _ kind: NSKeyValueSetMutationKind, _ objects: Set<AnyHashable>) {
        guard let relationship = layout.relationship(named: key), relationship.isToMany else { return endChange(of: key) }
        let announced = AnnouncedChange(object: ObjectIdentifier(self), slot: relationship.slot)
        let old = context?.event.takeAnnounced(announced) ?? []
        context?.event.takeGivenSet(announced)
        let changed = destinations(objects, relationship)
        let members = toMany(relationship)
        switch kind {
        case .union, .minus:
            // The primitive value may have been changed or not. It is set back to what it was, and then changed with
            // tracking.
            let wereMembers = Set(old)
            for object in changed {
                if wereMembers.contains(object) { members.insert(object) } else { members.remove(object) }
                if kind == .union { addObject(object, to: relationship) } else { removeObject(object, from: relationship) }
            }
        case .intersect:
            members.replace(with: old)
            setToMany(relationship, old.filter(Set(changed).contains))
        case .set:
            members.replace(with: old)
            setToMany(relationship, changed)
        }
        note(relationship)
    }

    private final func destinations(_ objects: Set<AnyHashable>, _ relationship: RelationshipLayout) -> [NSManagedObject] {
        objects.map { element in
            guard let object = element.base as? NSManagedObject else { badDestination(element.base, relationship) }
            return object
        }
    }
}

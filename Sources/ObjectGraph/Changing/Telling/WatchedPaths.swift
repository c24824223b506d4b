package import DataModel
import Storage

/// The properties that an observer watches, by their names in the model: `title`, or through relationships,
/// `director.name`.
///
/// A change at the end of a path is found from there: along the inverse relationships back to the objects that the
/// observer is about. A relationship without inverse is followed among the objects that the context has. Confined to
/// the context's queue.
package final class WatchedPaths {
    private let paths: [[String]]
    private var slotsByLayout: [ObjectIdentifier: SlotMask] = [:]

    /// - Parameter names: names with dots between the steps.
    package init(_ names: [String]) { paths = names.map { $0.split(separator: ".").map(String.init) } }

    /// Whether a path leads to other objects.
    package var hasSeveralSteps: Bool { paths.contains { $0.count > 1 } }

    /// Whether one of the properties of an object itself was, or may have been, changed in a round.
    package func hasChanged(_ object: NSManagedObject, _ past: RoundPast) -> Bool {
        past.hasChanged(object, slots(in: object.layout))
    }

    private func slots(in layout: EntityLayout) -> SlotMask {
        if let known = slotsByLayout[ObjectIdentifier(layout)] { return known }
        var slots = SlotMask()
        for path in paths {
            if let composite = layout.composites[path[0]] {
                for slot in composite.slots(of: path.dropFirst()) { slots.insert(slot) }
            } else if let slot = layout.slotByName[path[0]] {
                slots.insert(slot)
            }
        }
        slotsByLayout[ObjectIdentifier(layout)] = slots
        return slots
    }

    /// The objects of an entity for which a property at the end of a path was changed.
    package func objects(of entity: NSEntityDescription, concernedBy buckets: _ChangeBuckets) -> [NSManagedObject] {
        guard hasSeveralSteps else { return [] }
        var found: [NSManagedObject] = []
        for path in paths where path.count > 1 {
            var way: [NSRelationshipDescription] = []
            var current = entity
            for (name, next) in zip(path, path.dropFirst()) {
                guard let relationship = current.relationshipsByName[name], let destination = relationship.destinationEntity
                else {
                    break
                }
                way.append(relationship)
                current = destination
                let watched = WatchedPaths([next])
                var objects = buckets.objects(.updated, for: destination).filter { watched.hasChanged($0, buckets.past) }
                for relationship in way.reversed() where !objects.isEmpty { objects = Self.owners(of: objects, by: relationship) }
                found += objects
            }
        }
        return Self.unique(found)
    }

    private static func unique(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        var known: Set<ObjectIdentifier> = []
        return objects.filter { known.insert(ObjectIdentifier($0)).inserted }
    }

    /// The objects that have one of some objects at the other end of a relationship.
    private static func owners(of objects: [NSManagedObject], by description: NSRelationshipDescription) -> [NSManagedObject] {
        guard let context = objects.first?.context else { return [] }
        if let name = description.inverseRelationship?.name {
            let owners = objects.flatMap { object -> [NSManagedObject] in
                guard let inverse = object.layout.relationship(named: name) else { return [] }
                return inverse.isToMany ? object.toMany(inverse).objects : [object.toOne(inverse)].compactMap { $0 }
            }
            return unique(owners)
        }
        let ends = Set(objects.map(ObjectIdentifier.init))
        return context.allObjects.filter { owner in
            guard owner.layout.description.isKindOf(entity: description.entity), !owner.isDeleted,
                let relationship = owner.layout.relationship(named: description.name), let link = owner.links?[relationship.index]
            else { return false }
            guard relationship.isToMany else { return ends.contains(ObjectIdentifier(link)) }
            let members = unsafeDowncast(link, to: _ToManyObjects.self)
            return members.isLoaded && members.objects.contains { ends.contains(ObjectIdentifier($0)) }
        }
    }
}

extension CompositeLayout {
    /// The slots of one element of a composite, or of all.
    fileprivate func slots(of path: ArraySlice<String>) -> [Int] {
        guard let name = path.first else { return slots }
        switch element(named: name) {
        case .slot(let slot): return [slot]
        case .composite(let composite): return composite.slots(of: path.dropFirst())
        case nil: return []
        }
    }
}

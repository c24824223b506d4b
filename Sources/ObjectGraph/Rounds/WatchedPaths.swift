import DataModel
import Storage

/// Properties that an observer asks about, by their names in the model: `title`, or through relationships, `director.name`.
///
/// A change at the end of a path is found from there: along the inverse relationships back to the objects that the observer is about. A relationship without
/// inverse is followed among the objects that the context has. Confined to the context's queue.
package final class WatchedPaths {
    private let paths: [[String]]
    private var slotsByLayout: [ObjectIdentifier: SlotMask] = [:]

    /// - Parameter names: names with dots between the steps.
    package init(_ names: [String]) { paths = names.map { $0.split(separator: ".").map(String.init) } }

    /// Whether one of the properties of an object itself was changed in a round, or may have been.
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

    /// Objects of an entity for which something at the end of a path was changed.
    package func objects(of entity: NSEntityDescription, concernedBy buckets: _ChangeBuckets) -> [NSManagedObject] {
        guard paths.contains(where: { $0.count > 1 }) else { return [] }
        var found: [NSManagedObject] = []
        var known: Set<ObjectIdentifier> = []
        for path in paths where path.count > 1 {
            var way: [NSRelationshipDescription] = []
            var current = entity
            for (name, next) in zip(path, path.dropFirst()) {
                guard let relationship = current.relationshipsByName[name], let destination = relationship.destinationEntity
                else { break }
                way.append(relationship)
                current = destination
                let watched = WatchedPaths([next])
                for changed in buckets.objects(.updated, for: destination) where watched.hasChanged(changed, buckets.past) {
                    for owner in Self.owners(of: changed, along: way[...]) where known.insert(ObjectIdentifier(owner)).inserted {
                        found.append(owner)
                    }
                }
            }
        }
        return found
    }

    private static func owners(of object: NSManagedObject, along way: ArraySlice<NSRelationshipDescription>) -> [NSManagedObject]
    {
        guard let last = way.last, object.context != nil else { return [object] }
        return object.owners(by: last).flatMap { owners(of: $0, along: way.dropLast()) }
    }
}

extension CompositeLayout {
    /// The slots of an element, or of all.
    fileprivate func slots(of path: ArraySlice<String>) -> [Int] {
        guard let name = path.first else { return slots }
        switch element(named: name) {
        case .slot(let slot): return [slot]
        case .composite(let composite): return composite.slots(of: path.dropFirst())
        case nil: return []
        }
    }
}

extension NSManagedObject {
    /// The objects that have this one at the other end of a relationship.
    fileprivate final func owners(by description: NSRelationshipDescription) -> [NSManagedObject] {
        if let name = description.inverseRelationship?.name, let inverse = layout.relationship(named: name) {
            guard inverse.isToMany else { return toOne(inverse).map { [$0] } ?? [] }
            return toMany(inverse).objects
        }
        guard let context else { return [] }
        return context.allObjects.filter { owner in
            guard owner.layout.description.isKindOf(entity: description.entity), !owner.isDeleted,
                let relationship = owner.layout.relationship(named: description.name), let link = owner.links?[relationship.index]
            else { return false }
            guard relationship.isToMany else { return link === self }
            let members = unsafeDowncast(link, to: ToManyObjects.self)
            return members.isLoaded && members.contains(self)
        }
    }
}

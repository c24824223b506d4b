import OpenCoreData

/// Deletes objects of a store with any model, with those that need them or forbid it.
///
/// Used inside `context.run` only.
final class StoreDeletion {
    private let context: NSManagedObjectContext
    private let entities: [NSEntityDescription]
    private let save: () throws -> Void

    /// - Parameters:
    ///   - entities: Those that have objects.
    ///   - save: Saves the context.
    init(_ context: NSManagedObjectContext, _ entities: [NSEntityDescription], save: @escaping () throws -> Void) {
        self.context = context
        self.entities = entities
        self.save = save
    }

    /// Deletes objects and saves.
    ///
    /// - Returns: Nil, or why it was given up.
    func delete(_ objects: Set<NSManagedObject>) throws -> String? {
        var wanted = objects
        for _ in 0..<10 {
            wanted.forEach(context.delete)
            context.processPendingChanges()
            let needing = unlinkDeleted()
            if !needing.isEmpty {
                context.rollback()
                wanted.formUnion(needing)
                continue
            }
            do {
                try save()
                return nil
            } catch let error as NSError where (1550...1699).contains(error.code) {
                context.rollback()
                for detail in error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error] {
                    if detail.code == NSValidationRelationshipDeniedDeleteError {
                        let value = detail.userInfo[NSValidationValueErrorKey]
                        wanted.formUnion(
                            (value as? NSSet)?.allObjects as? [NSManagedObject] ?? [value as? NSManagedObject].compactMap { $0 })
                    } else if let needing = detail.userInfo[NSValidationObjectErrorKey] as? NSManagedObject {
                        wanted.insert(needing)
                    }
                }
            }
        }
        return "\(objects.map(\.objectID)) can't be deleted even together with \(wanted.count - objects.count) others"
    }

    /// Takes deleted objects out of relationships without inverse, where nobody else does it.
    ///
    /// - Returns: The objects that need one of them.
    private func unlinkDeleted() -> Set<NSManagedObject> {
        var needing: Set<NSManagedObject> = []
        for source in Set(context.deletedObjects.flatMap { oneWaySources[$0.objectID] ?? [] }) where !source.isDeleted {
            for relationship in source.entity.relationshipsByName.values where relationship.inverseRelationship == nil {
                let name = relationship.name
                if !relationship.isToMany {
                    guard (source.value(forKey: name) as? NSManagedObject)?.isDeleted == true else { continue }
                    if relationship.isOptional { source.setValue(nil, forKey: name) } else { needing.insert(source) }
                } else if relationship.isOrdered {
                    source.setOrdered(name, source.ordered(name).filter { !$0.isDeleted })
                } else {
                    source.setMembers(name, source.members(name).filter { !$0.isDeleted })
                }
            }
        }
        return needing
    }

    private lazy var oneWaySources: [NSManagedObjectID: [NSManagedObject]] = {
        var sources: [NSManagedObjectID: [NSManagedObject]] = [:]
        for entity in entities {
            let relationships = entity.relationshipsByName.values.filter { $0.inverseRelationship == nil }
            guard !relationships.isEmpty else { continue }
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.includesSubentities = false
            for object in (try? context.fetch(request)) ?? [] {
                for id in relationships.flatMap({ object.objectIDs(forRelationshipNamed: $0.name) }) {
                    sources[id, default: []].append(object)
                }
            }
        }
        return sources
    }()
}

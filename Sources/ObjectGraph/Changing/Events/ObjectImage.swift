import DataModel
import Storage

/// The values of a managed object at one moment.
struct ObjectImage {
    let row: Row
    /// The members of to-many relationships, by the index in `EntityLayout.relationships`. For relationships that are
    /// missing here, the present members are right. For to-one relationships these are new destinations, whose keys in
    /// the row will change.
    var members: [Int: [NSManagedObject]] = [:]

    /// Keeps an object's destinations that have not been saved yet. They get other keys when they are saved, and can't
    /// be found after they are undone.
    mutating func keepNewDestinations(of object: NSManagedObject) {
        guard let links = object.links else { return }
        for relationship in object.layout.relationships where relationship.storage == .toOne && members[relationship.index] == nil
        {
            guard row.hasNewDestination(relationship), let link = links[relationship.index] as? NSManagedObject,
                link.key == row.integer(relationship.slot)
            else { continue }
            members[relationship.index] = [link]
        }
    }
}

extension Row {
    /// Whether a to-one relationship leads to an object that was not saved when it was set.
    func hasNewDestination(_ relationship: RelationshipLayout) -> Bool {
        relationship.storage == .toOne && !isNil(relationship.slot) && integer(relationship.slot) < 0
    }
}

extension ObjectImage {
    /// An object with the values of the image, which can only be read. It is not registered. Its destinations are the
    /// context's own objects.
    ///
    /// - Parameter registry: the registry of the object; it was made for images.
    func makeObject(for object: NSManagedObject, in context: NSManagedObjectContext, _ registry: ObjectRegistry)
        -> NSManagedObject
    {
        let image = context.makeObject(in: registry, of: type(of: object))
        registry.adopt()
        image.key = object.key
        image.cachedID = object.objectID
        image.row = row
        image._slots = row.slots
        image._state = .image
        for (index, objects) in members {
            guard object.layout.relationships[index].isToMany else {
                image.setLink(index, objects.first)
                continue
            }
            let members = _ToManyObjects(owner: image, relationship: object.layout.relationships[index], isLoaded: false)
            members.adopt(objects)
            image.setLink(index, members)
        }
        return image
    }
}

extension NSManagedObject {
    final var original: NSManagedObject? {
        guard let context, _state.contains(.image) else { return nil }
        // If the object was new then, the ID may be that of the saved object now.
        return context.registeredObject(for: objectID)
    }
}

import DataModel
import Storage

/// What a managed object was at one moment.
struct ObjectImage {
    let row: Row
    /// The members of to-many relationships, by the index in `EntityLayout.relationships`; of those that are missing the present members are right.
    /// Of to-one relationships the new destinations, whose keys in the row are not theirs for long.
    var members: [Int: [NSManagedObject]] = [:]

    /// Keeps the destinations of an object of which nothing has been saved yet: they get other keys when they are saved, and are found nowhere when they are taken back.
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
    /// An object with the values of the image, to be read only. It is registered nowhere; what it is related to are the context's own objects.
    ///
    /// - Parameter registry: says what the object belongs to; made for images.
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
            let members = ToManyObjects(owner: image, relationship: object.layout.relationships[index], isLoaded: false)
            members.adopt(objects)
            image.setLink(index, members)
        }
        return image
    }
}

extension NSManagedObject {
    /// The object that an image is of.
    final var original: NSManagedObject? {
        guard let context, _state.contains(.image) else { return nil }
        // The ID of one that was new then is the saved one's by now.
        return context.registeredObject(for: objectID)
    }
}

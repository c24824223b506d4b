import DataModel
import Storage

/// What a managed object was at one moment.
struct ObjectImage {
    let row: Row
    /// The members of to-many relationships, by the index in `EntityLayout.relationships`; of those that are missing the present members are right.
    var members: [Int: [NSManagedObject]] = [:]
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
        let registries = registry.store.map(context.registries) ?? context.unsavedRegistries
        return registries.registry(layout.index).object(key)
    }
}

package import DataModel

/// Descriptions that are nested deeper than any model needs.
package enum DeepModels {
    /// A composite attribute in another one, and so on; the innermost has no elements.
    package static func composite(_ depth: Int) -> NSCompositeAttributeDescription {
        (0..<depth).reduce(composite([])) { inner, _ in composite([inner]) }
    }

    /// A composite attribute with these elements. All are called "c".
    package static func composite(_ elements: [NSAttributeDescription]) -> NSCompositeAttributeDescription {
        let composite = NSCompositeAttributeDescription()
        composite.name = "c"
        composite.elements = elements
        return composite
    }

    /// A model of one entity, "E", with one property.
    package static func model(_ property: NSPropertyDescription) -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "E"
        entity.properties = [property]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    /// Calls a block with a model of entities each of which is the subentity of the one before, the last one first.
    ///
    /// - Parameter isCircle: Whether the first is also the subentity of the last.
    package static func withEntities(
        _ count: Int, isCircle: Bool, _ body: (NSManagedObjectModel) throws -> Void
    ) rethrows {
        var entities: [NSEntityDescription] = []
        for number in 0..<count {
            let entity = NSEntityDescription()
            entity.name = "E\(number)"
            if let last = entities.last { last.subentities = [entity] }
            entities.append(entity)
        }
        if isCircle { entities[count - 1].subentities = [entities[0]] }
        defer { if isCircle { entities[count - 1].subentities = [] } }
        let model = NSManagedObjectModel()
        model.entities = entities.reversed()
        try body(model)
    }
}

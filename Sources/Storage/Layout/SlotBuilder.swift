import DataModel

/// Collects the slots of one entity in their order.
struct SlotBuilder {
    private(set) var slots: [SlotLayout] = []
    private(set) var relationships: [RelationshipLayout] = []
    private(set) var composites: [String: CompositeLayout] = [:]

    private let classOrder: [String]
    private let entityIndex: Int
    private let context: EntityLayout.Context
    private var pending: [(description: NSRelationshipDescription, slot: Int, declaring: Int)] = []
    /// Composites that the class declares: their elements come behind the slots of the class's order, where each property has one
    /// slot.
    private var laterComposites: [NSCompositeAttributeDescription] = []

    init(classOrder: [String], entityIndex: Int, context: EntityLayout.Context) {
        self.classOrder = classOrder
        self.entityIndex = entityIndex
        self.context = context
    }

    /// Adds the properties of the entities `chain`, root first.
    mutating func add(_ chain: [NSEntityDescription]) {
        var declared: [String: (property: NSPropertyDescription, declaring: Int)] = [:]
        var order: [String] = []
        for entity in chain {
            let declaring = context.indexByName[entity.name ?? ""] ?? entityIndex
            for property in entity.ownProperties.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
                if declared[property.name] == nil { order.append(property.name) }
                declared[property.name] = (property, declaring)
            }
        }
        for name in classOrder {
            let found = declared.removeValue(forKey: name)
            if let found, !(found.property is NSCompositeAttributeDescription), !(found.property is NSFetchedPropertyDescription)
            {
                add(found.property, declaring: found.declaring)
            } else {
                if let composite = found?.property as? NSCompositeAttributeDescription { laterComposites.append(composite) }
                slots.append(
                    SlotLayout(
                        name: name, kind: .vacant, attribute: nil, relationship: nil, isOptional: true, isPersistent: false))
            }
        }
        for composite in laterComposites { add(composite, declaring: entityIndex) }
        for name in order {
            if let (property, declaring) = declared[name] { add(property, declaring: declaring) }
        }
        finishRelationships()
    }

    private mutating func add(_ property: NSPropertyDescription, declaring: Int) {
        switch property {
        case let composite as NSCompositeAttributeDescription:
            // No store is opened with such a model.
            guard composite.nestingProblem == nil else { return }
            composites[composite.name] = add(composite, path: composite.name, isOptional: composite.isOptional)
        case let attribute as NSAttributeDescription:
            add(attribute, path: attribute.name, isOptional: attribute.isOptional)
        case let relationship as NSRelationshipDescription where relationship.destinationEntity != nil:
            pending.append((relationship, slots.count, declaring))
            slots.append(
                SlotLayout(
                    name: relationship.name, kind: relationship.isToMany ? .toMany : .toOne, attribute: nil,
                    relationship: pending.count - 1, isOptional: relationship.isOptional,
                    isPersistent: !relationship.isToMany && !relationship.isTransient))
        default:
            break
        }
    }

    private mutating func add(_ attribute: NSAttributeDescription, path: String, isOptional: Bool) {
        let isPersistent = !attribute.isTransient && attribute.attributeType != .undefinedAttributeType
        slots.append(
            SlotLayout(
                name: path, kind: SlotKind(attribute.attributeType, isTransient: attribute.isTransient), attribute: attribute,
                relationship: nil, isOptional: isOptional, isPersistent: isPersistent))
    }

    /// The elements of an absent composite are nil, so a required element of an optional composite is not a required slot.
    private mutating func add(_ composite: NSCompositeAttributeDescription, path: String, isOptional: Bool) -> CompositeLayout {
        var elements: [(name: String, element: CompositeLayout.Element)] = []
        for attribute in composite.elements {
            let elementPath = "\(path).\(attribute.name)"
            if let nested = attribute as? NSCompositeAttributeDescription {
                let layout = add(nested, path: elementPath, isOptional: isOptional || nested.isOptional)
                elements.append((attribute.name, .composite(layout)))
            } else {
                elements.append((attribute.name, .slot(slots.count)))
                add(attribute, path: elementPath, isOptional: isOptional || attribute.isOptional)
            }
        }
        return CompositeLayout(name: composite.name, isOptional: isOptional, elements: elements)
    }

    private mutating func finishRelationships() {
        for (index, (description, slot, declaring)) in pending.enumerated() {
            guard let destination = description.destinationEntity else { continue }
            var entitySlot: Int?
            if !description.isToMany, !destination.subentities.isEmpty {
                entitySlot = slots.count
                slots.append(
                    SlotLayout(
                        name: description.name, kind: .entityIndex, attribute: nil, relationship: index, isOptional: true,
                        isPersistent: !description.isTransient))
            }
            relationships.append(
                RelationshipLayout(
                    description: description, id: context.relationshipIDs[ObjectIdentifier(description)] ?? 0, index: index,
                    slot: slot,
                    entitySlot: entitySlot, entity: entityIndex, declaringEntity: declaring,
                    destination: context.indexByName[destination.name ?? ""] ?? 0,
                    inverse: description.inverseRelationship.flatMap { context.relationshipIDs[ObjectIdentifier($0)] }))
        }
    }
}

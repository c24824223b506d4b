import DataModel
import Foundation
import ObjectGraph

/// Makes a model's entities from the schemas of classes, and collects all mistakes.
struct ModelBuilder {
    private struct Part {
        let type: any TypedObject.Type
        let schema: _TypedSchema
        let entity: NSEntityDescription
        /// The relationships that the class declares itself, by their Swift names.
        var relationships: [String: NSRelationshipDescription] = [:]
    }

    private var parts: [Part] = []
    private var indexByClass: [ObjectIdentifier: Int] = [:]
    private(set) var problems: [String] = []

    var entities: [NSEntityDescription] { parts.map(\.entity) }

    /// - Parameter types: The classes. Superclasses that are entities are added.
    init(_ types: [any TypedObject.Type]) {
        types.forEach { addEntity($0) }
        checkNames()
        for index in parts.indices { addProperties(to: index) }
        for index in parts.indices { linkInverses(of: index) }
        for index in parts.indices { checkFetchedProperties(of: index) }
        for index in parts.indices { addConstraintsAndIndexes(to: index) }
    }

    private mutating func addEntity(_ type: any TypedObject.Type) {
        guard indexByClass[ObjectIdentifier(type)] == nil else { return }
        let schema = type._typedSchema
        guard schema.type == type else {
            problems.append("\(type): a subclass of an @Entity class needs @Entity itself")
            return
        }
        let parent = schema.superclass as? any TypedObject.Type
        if let parent { addEntity(parent) }
        let entity = NSEntityDescription()
        entity.name = schema.entityName
        entity.managedObjectClassName = String(reflecting: type)
        entity.boundClass = type
        entity.isAbstract = schema.isAbstract
        entity.renamingIdentifier = schema.originalName
        entity.versionHashModifier = schema.hashModifier
        entity.userInfo = schema.userInfo.isEmpty ? nil : schema.userInfo
        if let parent, let index = indexByClass[ObjectIdentifier(parent)] { parts[index].entity.subentities.append(entity) }
        indexByClass[ObjectIdentifier(type)] = parts.count
        parts.append(Part(type: type, schema: schema, entity: entity))
    }

    private mutating func checkNames() {
        for (name, parts) in Dictionary(grouping: parts, by: \.schema.entityName).sorted(by: { $0.key < $1.key })
        where parts.count > 1 {
            problems.append("\(parts.map { "\($0.type)" }.joined(separator: ", ")): more than one class for the entity “\(name)”")
        }
        for part in parts {
            let names = part.schema.allProperties.map(\.storedName)
            for name in Set(names).sorted() where names.count(where: { $0 == name }) > 1 {
                problems.append("\(part.type): more than one property is stored as “\(name)”")
            }
        }
    }
}

// MARK: Properties

extension ModelBuilder {
    private mutating func addProperties(to index: Int) {
        var properties: [NSPropertyDescription] = []
        for property in parts[index].schema.properties {
            let description: NSPropertyDescription
            switch property.kind {
            case .attribute(let attribute):
                description = makeAttribute(attribute, of: property, in: index)
            case .relationship(let relationship):
                let made = makeRelationship(relationship, of: property, in: index)
                parts[index].relationships[property.name] = made
                description = made
            case .fetched(let fetch):
                description = makeFetchedProperty(fetch, of: property, in: index)
            }
            description.name = property.storedName
            properties.append(description)
        }
        parts[index].entity.properties = properties
    }

    private mutating func makeAttribute(
        _ attribute: TypedAttribute, of property: _TypedProperty, in index: Int
    ) -> NSAttributeDescription {
        var builder = AttributeBuilder(property, attribute)
        let description = builder.make()
        problems += builder.problems.map { text(index, property, $0) }
        if builder.isUnique { parts[index].entity.uniquenessConstraints.append([property.storedName]) }
        return description
    }

    private mutating func makeFetchedProperty(
        _ fetch: TypedFetch, of property: _TypedProperty, in index: Int
    ) -> NSFetchedPropertyDescription {
        guard let target = indexByClass[ObjectIdentifier(fetch.destination)] else {
            problems.append(
                text(
                    index, property,
                    "\(fetch.destination) is not among the model's entities: make it an @Entity class and pass it as well"))
            return NSFetchedPropertyDescription()
        }
        var builder = FetchedPropertyBuilder(fetch, parts[target].entity)
        let description = builder.make()
        problems += builder.problems.map { text(index, property, $0) }
        return description
    }

    private mutating func checkFetchedProperties(of index: Int) {
        for property in parts[index].schema.properties {
            guard case .fetched(let fetch) = property.kind, let target = indexByClass[ObjectIdentifier(fetch.destination)],
                let description = parts[index].entity.propertiesByName[property.storedName] as? NSFetchedPropertyDescription
            else { continue }
            var builder = FetchedPropertyBuilder(fetch, parts[target].entity)
            builder.checkNames(description)
            problems += builder.problems.map { text(index, property, $0) }
        }
    }

    private mutating func makeRelationship(
        _ relationship: TypedRelationship, of property: _TypedProperty, in index: Int
    ) -> NSRelationshipDescription {
        let description = NSRelationshipDescription()
        description.isOrdered = relationship.isOrdered
        let settings = relationship.settings
        description.deleteRule = settings.deleteRule
        description.maxCount = relationship.isToMany ? settings.maxCount : 1
        description.minCount = settings.minCount
        description.isOptional = settings.isOptional ?? (relationship.isToMany ? settings.minCount == 0 : property.isOptional)
        description.renamingIdentifier = settings.originalName
        description.versionHashModifier = settings.hashModifier
        description.userInfo = settings.userInfo
        if description.maxCount != 0, settings.minCount > description.maxCount {
            problems.append(
                text(index, property, "minCount \(settings.minCount) is more than maxCount \(description.maxCount)"))
        }
        if relationship.isToMany, settings.maxCount == 1 {
            problems.append(text(index, property, "maxCount 1 makes the relationship a to-one"))
        }
        guard let destination = relationship.destination else {
            problems.append(text(index, property, "the type doesn't say where the relationship leads"))
            return description
        }
        guard let target = indexByClass[ObjectIdentifier(destination)] else {
            problems.append(
                text(
                    index, property,
                    "\(destination) is not among the model's entities: make it an @Entity class and pass it as well"))
            return description
        }
        description.destinationEntity = parts[target].entity
        return description
    }

    private func text(_ index: Int, _ property: _TypedProperty, _ problem: String) -> String {
        "\(parts[index].type).\(property.name): Swift type \(TypeCheck.describe(property.type)), but \(problem)"
    }
}

// MARK: Inverses

extension ModelBuilder {
    /// Links the inverses of a class's relationships. An inverse that is named on one side applies to both.
    private mutating func linkInverses(of index: Int) {
        for property in parts[index].schema.properties {
            guard case .relationship(let relationship) = property.kind, let inverseName = relationship.settings.inverse,
                let description = parts[index].relationships[property.name], let destination = relationship.destination,
                let target = indexByClass[ObjectIdentifier(destination)]
            else { continue }
            let inversePlace = "\(destination).\(inverseName)"
            guard let inverse = findRelationship(inverseName, from: target) else {
                problems.append(
                    "\(parts[index].type).\(property.name): the inverse \(inversePlace) is not a relationship of an entity")
                continue
            }
            guard inverse.destinationEntity === parts[index].entity else {
                let place = inverse.destinationEntity?.name ?? ""
                problems.append("\(parts[index].type).\(property.name): the inverse \(inversePlace) leads to “\(place)”")
                continue
            }
            for (one, other) in [(description, inverse), (inverse, description)] {
                if let old = one.inverseRelationship, old !== other {
                    problems.append(
                        "\(parts[index].type).\(property.name): “\(one.name)” has two inverses, “\(old.name)” and “\(other.name)”"
                    )
                }
            }
            description.inverseRelationship = inverse
            inverse.inverseRelationship = description
        }
    }

    /// Pairs of relationships that lead to each other's class and have no inverse. Setting one of them does not change the other,
    /// which is seldom intended.
    var missingInverses: [String] {
        func isOpen(_ index: Int, _ property: _TypedProperty) -> Bool {
            parts[index].relationships[property.name].map { $0.inverseRelationship == nil } == true && !property.hasNoInverse
        }
        var found: [String] = []
        for (index, part) in parts.enumerated() {
            for property in part.schema.properties where isOpen(index, property) {
                let destination = part.relationships[property.name]?.destinationEntity
                for (otherIndex, other) in parts.enumerated().dropFirst(index)
                where destination?.isKindOf(entity: other.entity) == true {
                    for otherProperty in other.schema.properties where isOpen(otherIndex, otherProperty) {
                        guard otherIndex != index || otherProperty.name > property.name,
                            let back = other.relationships[otherProperty.name]?.destinationEntity,
                            part.entity.isKindOf(entity: back)
                        else { continue }
                        found.append(
                            "\(part.type).\(property.name) and \(other.type).\(otherProperty.name) lead to each other's class, and neither "
                                + "is the inverse of the other: setting one does not change the other. Write @Relationship(inverse: "
                                + "\\\(other.type).\(otherProperty.name)) on \(part.type).\(property.name), or inverse: nil on one of them"
                        )
                    }
                }
            }
        }
        return found
    }

    private func findRelationship(_ name: String, from index: Int) -> NSRelationshipDescription? {
        if let found = parts[index].relationships[name] { return found }
        guard let parent = indexByClass[ObjectIdentifier(parts[index].schema.superclass)] else { return nil }
        return findRelationship(name, from: parent)
    }
}

// MARK: Constraints and indexes

extension ModelBuilder {
    private mutating func addConstraintsAndIndexes(to index: Int) {
        let part = parts[index]
        for group in part.schema.uniqueness {
            let properties = group.compactMap { findProperty($0, of: part, for: "#Unique") }
            if properties.count == group.count { part.entity.uniquenessConstraints.append(properties.map(\.name)) }
        }
        part.entity.indexes = part.schema.indexes.compactMap { group in
            let properties = group.compactMap { findProperty($0, of: part, for: "#Index") }
            guard properties.count == group.count else { return nil }
            return NSFetchIndexDescription(
                name: "by" + properties.map { $0.name.prefix(1).uppercased() + $0.name.dropFirst() }.joined(separator: "And"),
                elements: properties.map { NSFetchIndexElementDescription(property: $0, collationType: .binary) })
        }
    }

    /// The property with a Swift name, which may be inherited. If a column can't hold it, the result is nil, and a mistake is
    /// collected.
    private mutating func findProperty(_ name: String, of part: Part, for purpose: String) -> NSPropertyDescription? {
        guard let stored = part.schema.allProperties.first(where: { $0.name == name })?.storedName,
            let found = part.entity.propertiesByName[stored]
        else {
            problems.append("\(part.type): \(purpose) names “\(name)”, which is not a property of the entity")
            return nil
        }
        guard !((found as? NSRelationshipDescription)?.isToMany ?? (found is NSCompositeAttributeDescription)) else {
            problems.append("\(part.type): \(purpose) names “\(name)”: only attributes and to-one relationships can be there")
            return nil
        }
        return found
    }
}

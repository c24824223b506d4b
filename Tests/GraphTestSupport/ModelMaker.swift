package import DataModel
import Foundation

/// Builds small models in few lines.
package struct ModelMaker {
    /// One end of a relationship.
    package struct End {
        package var isMany: Bool
        package var isOrdered: Bool
        package var isOptional: Bool
        package var rule: NSDeleteRule

        package init(
            isMany: Bool = false, isOrdered: Bool = false, isOptional: Bool = true, rule: NSDeleteRule = .nullifyDeleteRule
        ) {
            self.isMany = isMany
            self.isOrdered = isOrdered
            self.isOptional = isOptional
            self.rule = rule
        }

        package static let one = End()
        package static let many = End(isMany: true)
        package static let ordered = End(isMany: true, isOrdered: true)

        package var required: End { changed { $0.isOptional = false } }
        package var cascade: End { changed { $0.rule = .cascadeDeleteRule } }
        package var deny: End { changed { $0.rule = .denyDeleteRule } }
        package var noAction: End { changed { $0.rule = .noActionDeleteRule } }

        private func changed(_ change: (inout End) -> Void) -> End {
            var copy = self
            change(&copy)
            return copy
        }
    }

    private var entities: [NSEntityDescription] = []

    package init() {}

    /// Adds an entity. Its objects are of class `Recorder` unless said otherwise.
    @discardableResult
    package mutating func entity(
        _ name: String, parent: String? = nil, class className: String = "GraphTestSupport.Recorder",
        _ attributes: [NSAttributeDescription] = []
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = className
        entity.properties = attributes
        if let parent { find(parent).subentities.append(entity) }
        entities.append(entity)
        return entity
    }

    /// An attribute, optional unless said otherwise.
    package static func attribute(
        _ name: String, _ type: NSAttributeDescription.AttributeType, default value: Any? = nil, isOptional: Bool = true,
        isTransient: Bool = false
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.type = type
        attribute.defaultValue = value
        attribute.isOptional = isOptional
        attribute.isTransient = isTransient
        return attribute
    }

    /// Relates two entities by a relationship and its inverse.
    package mutating func relate(
        _ source: String, _ key: String, _ end: End, _ target: String, _ inverseKey: String, _ inverseEnd: End
    ) {
        let there = relationship(source, key, end, target)
        let back = relationship(target, inverseKey, inverseEnd, source)
        there.inverseRelationship = back
        back.inverseRelationship = there
    }

    /// A relationship of an entity with itself that is its own inverse.
    package mutating func relateToSelf(_ source: String, _ key: String, _ end: End) {
        let relationship = relationship(source, key, end, source)
        relationship.inverseRelationship = relationship
    }

    /// A relationship without inverse.
    package mutating func point(_ source: String, _ key: String, _ end: End, _ target: String) {
        _ = relationship(source, key, end, target)
    }

    package func model() -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    private func relationship(_ source: String, _ key: String, _ end: End, _ target: String) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = key
        relationship.maxCount = end.isMany ? 0 : 1
        relationship.isOrdered = end.isOrdered
        relationship.isOptional = end.isOptional
        relationship.deleteRule = end.rule
        relationship.destinationEntity = find(target)
        find(source).properties.append(relationship)
        return relationship
    }

    private func find(_ name: String) -> NSEntityDescription {
        guard let entity = entities.first(where: { $0.name == name }) else { fatalError("No entity \(name): add it first") }
        return entity
    }
}

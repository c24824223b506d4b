import Foundation
import Predicates

extension NSMappingModel {
    /// Finds out how objects of a newer model are made of those of an older one, by the names of entities and properties and by
    /// their renaming identifiers.
    ///
    /// The mappings are called `IEM_Copy_…`, `IEM_Transform_…`, `IEM_Add_…` and `IEM_Remove_…`, as with Apple's framework.
    /// Their user info has the names of properties under `mappedProperties`, `addedProperties` and `removedProperties`, as
    /// sets.
    ///
    /// May be called on every thread while nobody changes the models.
    ///
    /// - Parameters:
    ///   - source: The older model.
    ///   - destination: The newer model.
    /// - Throws: 134190 for what can't be inferred: a changed type, a to-many relationship that is to-one now, and entities of
    ///   different families with one parent. The message says what would help.
    public class func inferredMappingModel(
        forSourceModel source: NSManagedObjectModel, destinationModel destination: NSManagedObjectModel
    ) throws -> NSMappingModel {
        let inference = MigrationInference(from: source, to: destination)
        guard inference.obstacles.isEmpty else {
            let reason = inference.obstacles.map(\.description).joined(separator: "; ")
            throw NSError.coreData(
                NSInferredMappingModelError, "A mapping can't be inferred: \(reason)", ["reason": reason])
        }
        return inferred(inference)
    }

    /// The mapping model, without values for what can't be inferred.
    package final class func inferred(_ inference: MigrationInference) -> NSMappingModel {
        let model = NSMappingModel()
        let match = inference.match
        let newer = match.destination.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
        model.entityMappings = newer.map { InferredEntityMapping(match, $0).mapping() } + match.removedEntities.map(removal)
        model.inferredText = model.text
        return model
    }

    private static func removal(of entity: NSEntityDescription) -> NSEntityMapping {
        let mapping = NSEntityMapping()
        mapping.name = "IEM_Remove_\(entity.name ?? "")"
        mapping.mappingType = .removeEntityMappingType
        mapping.sourceEntityName = entity.name
        mapping.sourceEntityVersionHash = entity.versionHash
        mapping.sourceExpression = NSEntityMapping.allObjects(of: entity.name ?? "")
        return mapping
    }
}

/// Makes the mapping for one entity of the newer model.
struct InferredEntityMapping {
    private let match: ModelMatch
    private let entity: NSEntityDescription
    private let pair: ModelMatch.Entity?

    init(_ match: ModelMatch, _ entity: NSEntityDescription) {
        self.match = match
        self.entity = entity
        pair = match.entities[entity.name ?? ""]
    }

    static func name(_ match: ModelMatch, _ entity: NSEntityDescription) -> String {
        let name = entity.name ?? ""
        guard let source = match.source(of: entity) else { return "IEM_Add_\(name)" }
        let isSame = source.name == name && source.structuralHash == entity.structuralHash
        return isSame ? "IEM_Copy_\(name)" : "IEM_Transform_\(name)"
    }

    func mapping() -> NSEntityMapping {
        let mapping = NSEntityMapping()
        mapping.name = Self.name(match, entity)
        mapping.destinationEntityName = entity.name
        mapping.destinationEntityVersionHash = entity.versionHash
        guard let pair, let source = pair.source else {
            mapping.mappingType = .addEntityMappingType
            return mapping
        }
        mapping.mappingType =
            mapping.name.hasPrefix("IEM_Copy_") ? .copyEntityMappingType : .transformEntityMappingType
        mapping.sourceEntityName = source.name
        mapping.sourceEntityVersionHash = source.versionHash
        mapping.sourceExpression = NSEntityMapping.allObjects(of: source.name ?? "")
        let attributes = entity.attributesByName.values.filter { !$0.isTransient && !($0 is NSDerivedAttributeDescription) }
        mapping.attributeMappings = attributes.sorted { $0.name < $1.name }.map(attributeMapping)
        let relationships = entity.relationshipsByName.values.filter { !$0.isTransient }
        mapping.relationshipMappings = relationships.sorted { $0.name < $1.name }.map(relationshipMapping)
        let stored = Set(attributes.map(\.name) + relationships.map(\.name))
        let kept = Set(pair.properties.values.map(\.name))
        mapping.userInfo = [
            "mappedProperties": stored.intersection(pair.properties.keys),
            "addedProperties": stored.subtracting(pair.properties.keys),
            "removedProperties": Set(source.propertiesByName.keys).subtracting(kept),
        ]
        return mapping
    }

    private func attributeMapping(_ attribute: NSAttributeDescription) -> NSPropertyMapping {
        let mapping = NSPropertyMapping()
        mapping.name = attribute.name
        // Values of another type are for code of the program.
        if let older = pair?.properties[attribute.name] as? NSAttributeDescription, older.type == attribute.type {
            mapping.valueExpression = _NSExpression(.keyPath([older.name], of: .variable("source")))
        }
        return mapping
    }

    private func relationshipMapping(_ relationship: NSRelationshipDescription) -> NSPropertyMapping {
        let mapping = NSPropertyMapping()
        mapping.name = relationship.name
        guard let older = pair?.properties[relationship.name] as? NSRelationshipDescription,
            relationship.isToMany || !older.isToMany, let target = relationship.destinationEntity
        else { return mapping }
        let instances = ExpressionNode.keyPath([older.name], of: .variable("source"))
        mapping.valueExpression = _NSExpression(
            target.subentities.isEmpty
                ? .call(
                    .variable("manager"), selector: "destinationInstancesForEntityMappingNamed:sourceInstances:",
                    [.constant(.string(Self.name(match, target))), instances])
                : .call(
                    .variable("manager"), selector: "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
                    [.constant(.string(older.name)), instances]))
        return mapping
    }
}

extension NSEntityMapping {
    /// The expression for all objects of an entity, those of its subentities left out.
    static func allObjects(of entity: String, where predicate: String = "TRUEPREDICATE") -> _NSExpression {
        _NSExpression(
            .fetch(
                request: .call(
                    .variable("manager"), selector: "fetchRequestForSourceEntityNamed:predicateString:",
                    [.constant(.string(entity)), .constant(.string(predicate))]),
                context: .keyPath(["sourceContext"], of: .variable("manager")), countOnly: false))
    }
}

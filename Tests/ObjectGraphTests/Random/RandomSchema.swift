import DataModel
import Foundation
import GraphTestSupport
import TestSupport

/// What random programs do with a model: its entities, attributes and relationships in the plainest form.
///
/// `@unchecked Sendable`: nothing changes after `init`, and the model is in use, which makes it unchangeable.
final class RandomSchema: @unchecked Sendable {
    struct Relationship {
        let source: String
        let name: String
        let isMany: Bool
        let isOrdered: Bool
        let rule: NSDeleteRule
        let destination: String
        let inverse: String
    }

    struct Attribute {
        let name: String
        let isText: Bool
        let isRequired: Bool
    }

    let model: NSManagedObjectModel
    /// The entities that objects are made of.
    let entities: [String]
    /// The entities without a parent.
    let roots: [String]
    private var ancestors: [String: Set<String>] = [:]
    private var relationshipsByEntity: [String: [Relationship]] = [:]
    private var relationshipsByName: [String: [String: Relationship]] = [:]
    private var attributesByEntity: [String: [Attribute]] = [:]

    init(_ model: NSManagedObjectModel) {
        self.model = model
        let all = model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
        entities = all.filter { !$0.isAbstract }.compactMap(\.name)
        roots = all.filter { $0.superentity == nil }.compactMap(\.name)
        for entity in all {
            let name = entity.name ?? ""
            var next: NSEntityDescription? = entity
            while let ancestor = next {
                ancestors[name, default: []].insert(ancestor.name ?? "")
                next = ancestor.superentity
            }
            let properties = entity.propertiesByName.sorted { $0.key < $1.key }.map(\.value)
            let relationships = properties.compactMap { $0 as? NSRelationshipDescription }.compactMap(Self.relationship)
            relationshipsByEntity[name] = relationships
            relationshipsByName[name] = Dictionary(uniqueKeysWithValues: relationships.map { ($0.name, $0) })
            attributesByEntity[name] = properties.compactMap { $0 as? NSAttributeDescription }.compactMap(Self.attribute)
        }
    }

    private static func relationship(_ relationship: NSRelationshipDescription) -> Relationship? {
        guard let inverse = relationship.inverseRelationship?.name, let destination = relationship.destinationEntity?.name,
            let source = relationship.entity.name, !relationship.isTransient
        else { return nil }
        return Relationship(
            source: source, name: relationship.name, isMany: relationship.isToMany, isOrdered: relationship.isOrdered,
            rule: relationship.deleteRule, destination: destination, inverse: inverse)
    }

    private static func attribute(_ attribute: NSAttributeDescription) -> Attribute? {
        guard !attribute.isTransient, !(attribute is NSDerivedAttributeDescription) else { return nil }
        switch attribute.type {
        case .string: return Attribute(name: attribute.name, isText: true, isRequired: !attribute.isOptional)
        case .integer16, .integer32, .integer64:
            return Attribute(name: attribute.name, isText: false, isRequired: !attribute.isOptional)
        default: return nil
        }
    }

    func isKind(_ entity: String, of other: String) -> Bool { ancestors[entity]?.contains(other) == true }
    func relationships(of entity: String) -> [Relationship] { relationshipsByEntity[entity] ?? [] }
    func attributes(of entity: String) -> [Attribute] { attributesByEntity[entity] ?? [] }

    func relationship(_ name: String, of entity: String) -> Relationship {
        guard let found = relationshipsByName[entity]?[name] else { fatalError("\(entity) has no \(name)") }
        return found
    }

    /// The default values of an entity's attributes.
    func defaults(of entity: String) -> [String: String] {
        let attributes = model.entitiesByName[entity]?.attributesByName ?? [:]
        return attributes.compactMapValues { $0.defaultValue.map { "\($0)" } }
    }

    // MARK: Models of other projects

    /// The model for a seed: each second one that of another project, where the fixtures are there.
    static func forSeed(_ seed: UInt64) -> RandomSchema {
        guard !seed.isMultiple(of: 2), !fixtures.isEmpty else { return LibrarySchema.schema }
        return fixtures[Int(seed / 2 % UInt64(fixtures.count))]
    }

    /// Some of the fixtures' models with relationships, of each project the one with most.
    private static let fixtures: [RandomSchema] = {
        guard Fixtures.isAvailable else { return [] }
        var best: [String: RandomSchema] = [:]
        for file in Fixtures.files(below: Fixtures.models, where: { $0 == "contents" }).sorted(by: { $0.path < $1.path }) {
            let project = file.path.dropFirst(Fixtures.models.path.count).split(separator: "/").first.map(String.init) ?? ""
            guard let model = try? NSManagedObjectModel(readingModelAt: file), model.structuralProblems.isEmpty,
                model.loadingIssues.isEmpty
            else { continue }
            loosen(model)
            let schema = RandomSchema(model)
            if schema.weight >= 4, schema.weight > best[project]?.weight ?? 0 { best[project] = schema }
        }
        return best.sorted { $0.key < $1.key }.map(\.value)
    }()

    private var weight: Int { entities.reduce(0) { $0 + relationships(of: $1).count } }

    /// Takes away what would make random values invalid. The shape stays: entities, relationships, orders, most delete rules.
    private static func loosen(_ model: NSManagedObjectModel) {
        for entity in model.entities {
            entity.managedObjectClassName = "NSManagedObject"
            entity.uniquenessConstraints = []
            for property in entity.properties where property.entity === entity {
                property.isOptional = true
                property.setValidationPredicates([], withValidationWarnings: [])
                guard let relationship = property as? NSRelationshipDescription else { continue }
                relationship.minCount = 0
                relationship.maxCount = relationship.isToMany ? 0 : 1
                // Without a rule the other side would go on pointing at what is gone.
                if relationship.deleteRule == .noActionDeleteRule { relationship.deleteRule = .nullifyDeleteRule }
            }
        }
    }
}

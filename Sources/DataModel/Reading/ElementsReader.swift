import Foundation
import FoundationGaps

/// Builds the descriptions of a model from the archive of the model editor before Xcode 4 (`elements`).
///
/// There, facts about an element are the default values of properties in so-called stereotypes.
struct ElementsReader {
    static let rootClass = "XDPMModel"

    private let graph: ArchiveGraph
    private var unlinked = UnlinkedModel()

    /// Fills an empty model; gives everything that is wrong.
    static func fill(_ model: NSManagedObjectModel, from graph: ArchiveGraph, root: ArchiveGraph.Object) throws -> [ModelProblem]
    {
        var reader = ElementsReader(graph: graph)
        try reader.read(root)
        return ModelAssembly.fill(model, with: reader.unlinked)
    }

    private init(graph: ArchiveGraph) { self.graph = graph }

    private mutating func read(_ root: ArchiveGraph.Object) throws {
        unlinked.versionIdentifiers = [try graph.text("_modelVersionIdentifier", of: root) ?? ""]
        guard case .object(let package)? = try graph.member("_xd_rootPackage", of: root),
            let entities = try bucket("Classes", of: package).flatMap(graph.entries)
        else { throw KeyedArchive.Failure(reason: "the archive has no entities") }
        var parts: [(name: String, object: ArchiveGraph.Object)] = []
        for entry in entities {
            guard let name = try graph.text(entry.key), !name.isEmpty, case .object(let object) = try graph.resolve(entry.value)
            else {
                unlinked.problems.append(ModelProblem("an entity has no name"))
                continue
            }
            parts.append((name, object))
        }
        for part in parts.sorted(by: { $0.name < $1.name }) { try readEntity(part.object, name: part.name) }
    }

    /// The storage of one kind of an element's parts. Classes put their own names before the key.
    private func bucket(_ kind: String, of object: ArchiveGraph.Object) throws -> ArchiveGraph.Value? {
        let suffix = "XDBucketFor\(kind)storage"
        guard let key = object.keys.filter({ $0.hasSuffix(suffix) }).min() else { return nil }
        return try graph.member(key, of: object)
    }

    // MARK: Facts

    /// All facts about an element, without the prefixes that the keys have.
    private func facts(_ object: ArchiveGraph.Object) throws -> [String: ArchiveGraph.Value] {
        var facts: [String: ArchiveGraph.Value] = [:]
        for stereotype in try bucket("Stereotypes", of: object).flatMap(graph.entries) ?? [] {
            guard case .object(let stereotype) = try graph.resolve(stereotype.value) else { continue }
            for entry in try bucket("OwnedAttributes", of: stereotype).flatMap(graph.entries) ?? [] {
                guard let key = try graph.text(entry.key), case .object(let property) = try graph.resolve(entry.value),
                    let value = try graph.member("_default", of: property)
                else { continue }
                facts[Self.plainKey(key)] = value
            }
        }
        return facts
    }

    /// "isOptional" for "XD_PPSK_isOptional".
    private static func plainKey(_ key: String) -> String {
        if key.hasPrefix("XDPM") { return String(key.dropFirst(4)) }
        guard key.hasPrefix("XD_P"), let end = key.dropFirst(4).firstIndex(of: "_") else { return key }
        return String(key[key.index(after: end)...])
    }

    private func flag(_ value: ArchiveGraph.Value?) -> Bool { (number(value) ?? 0) != 0 }

    private func number(_ value: ArchiveGraph.Value?) -> Int? {
        switch value {
        case .integer(let number)?: Int(exactly: number)
        case .bool(let flag)?: flag ? 1 : 0
        default: nil
        }
    }

    private func text(_ value: ArchiveGraph.Value?) throws -> String? { try value.flatMap(graph.text) }

    private func nonEmpty(_ value: ArchiveGraph.Value?) throws -> String? {
        try text(value).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The name of an element that a value refers to.
    private func name(_ value: ArchiveGraph.Value?) throws -> String? {
        guard let value, case .object(let object) = try graph.resolve(value) else { return nil }
        return try graph.text("_name", of: object)
    }

    private func userInfo(_ value: ArchiveGraph.Value?) throws -> [AnyHashable: Any] {
        var result: [AnyHashable: Any] = [:]
        for entry in try value.flatMap(graph.entries) ?? [] {
            guard let key = try graph.text(entry.key), let text = try graph.text(entry.value),
                !key.hasPrefix("com.apple.syncservices")
            else { continue }
            result[key] = text
        }
        return result
    }

    // MARK: Entities

    private mutating func readEntity(_ object: ArchiveGraph.Object, name: String) throws {
        let facts = try facts(object)
        let entity = NSEntityDescription()
        entity.name = name
        if let className = try nonEmpty(facts["entityClassName"]) { entity.managedObjectClassName = className }
        entity.isAbstract = flag(facts["isAbstract"])
        entity.renamingIdentifier = try nonEmpty(facts["elementID"])
        entity.versionHashModifier = try text(facts["versionHashModifier"])
        entity.userInfo = try userInfo(facts["userInfo"])
        var part = UnlinkedModel.Entity(entity: entity, parent: try parent(of: object, name: name))
        part.compoundIndexes = try groups(facts["CompoundIndexes"])
        part.constraints = try groups(facts["UniquenessConstraints"])
        var properties: [NSPropertyDescription] = []
        for entry in try bucket("OwnedAttributes", of: object).flatMap(graph.entries) ?? [] {
            guard let key = try graph.text(entry.key), !key.isEmpty, case .object(let property) = try graph.resolve(entry.value)
            else { continue }
            if let made = try readProperty(property, name: key, path: "\(name).\(key)") { properties.append(made) }
        }
        entity.properties = properties.sorted { $0.name < $1.name }
        unlinked.entities.append(part)
    }

    private func parent(of object: ArchiveGraph.Object, name: String) throws -> String? {
        for value in try bucket("Generalizations", of: object).flatMap(graph.items) ?? [] {
            guard case .object(let generalization) = try graph.resolve(value) else { continue }
            if let general = try self.name(graph.member("_general", of: generalization)), general != "NSManagedObject",
                general != name
            {
                return general
            }
        }
        return nil
    }

    private func groups(_ value: ArchiveGraph.Value?) throws -> [UnlinkedModel.Group] {
        try (value.flatMap(graph.items) ?? []).map { group in
            UnlinkedModel.Group(names: try (graph.items(group) ?? []).compactMap { try text($0) ?? name($0) })
        }
    }

    // MARK: Properties

    private mutating func readProperty(_ object: ArchiveGraph.Object, name: String, path: String) throws -> NSPropertyDescription?
    {
        let facts = try facts(object)
        let property: NSPropertyDescription
        switch object.className {
        case "XDPMAttribute": property = try readAttribute(facts, path: path)
        case "XDPMRelationship": property = try readRelationship(facts, path: path)
        default:
            unlinked.problems.append(ModelProblem("\(path): the class \(object.className) is not one of a property"))
            return nil
        }
        property.name = name
        property.isOptional = flag(facts["isOptional"])
        property.isTransient = flag(facts["isTransient"])
        property.isIndexed = flag(facts["isIndexed"])
        property.isIndexedBySpotlight = flag(facts["isSpotlightIndexed"])
        property.renamingIdentifier = try nonEmpty(facts["elementID"])
        property.versionHashModifier = try text(facts["versionHashModifier"])
        property.userInfo = try userInfo(facts["userInfo"])
        return property
    }

    private mutating func readAttribute(_ facts: [String: ArchiveGraph.Value], path: String) throws -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        let code = number(facts["attributeType"]) ?? 0
        let type = NSAttributeDescription.AttributeType(rawValue: UInt(exactly: code) ?? .max)
        if type != .undefined, type.modelFileName == nil {
            unlinked.problems.append(ModelProblem("\(path): there is no attribute type \(code)"))
        }
        attribute.type = type
        attribute.valueTransformerName = try nonEmpty(facts["valueTransformerName"])
        attribute.allowsExternalBinaryDataStorage = flag(facts["allowsExternalBinaryDataStorage"])
        if flag(facts["isStoredInTruthFile"]) { attribute.editorValues = ["storedInTruthFile": "YES"] }
        // The text of a date's default is for display only.
        if type != .date, let text = try text(facts["defaultValueAsString"]) {
            let (value, issue) = ModelText.defaultValue(text, of: type)
            attribute.defaultValue = value
            if let issue { unlinked.issues.append(ModelProblem("\(path): \(issue)")) }
        }
        func limit(_ key: String) throws -> String? {
            guard type != .date, let text = try text(facts[key]) else { return nil }
            if ModelText.decimal(text) != nil { return text }
            unlinked.issues.append(ModelProblem("\(path): the limit \(key) “\(text)” is not a number"))
            return nil
        }
        attribute.setLimits(
            ValidationLimits(
                minimum: try limit("minValueString"), maximum: try limit("maxValueString"),
                regularExpression: try text(facts["regularExpressionString"])))
        return attribute
    }

    private mutating func readRelationship(
        _ facts: [String: ArchiveGraph.Value], path: String
    ) throws -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.minCount = number(facts["minCount"]) ?? 0
        relationship.maxCount = number(facts["maxCount"]) ?? 0
        relationship.isOrdered = flag(facts["ordered"])
        let rule = number(facts["deleteRule"]) ?? 0
        if let known = UInt(exactly: rule).flatMap(NSDeleteRule.init(rawValue:)) {
            relationship.deleteRule = known
        } else {
            unlinked.problems.append(ModelProblem("\(path): there is no deletion rule \(rule)"))
        }
        var part = UnlinkedModel.Relationship(relationship: relationship, destination: try name(facts["destination"]))
        if let inverse = facts["inverseRelationship"], case .object(let object) = try graph.resolve(inverse) {
            part.inverse = try graph.text("_name", of: object)
            part.inverseEntity = try name(graph.member("_owner", of: object))
        }
        unlinked.relationships.append(part)
        return relationship
    }
}

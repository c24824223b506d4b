import OpenCoreData
import Testing

/// Everything in a store, object by object, whether objects or a dump of the file tell it.
struct StoreContents: Sendable {
    struct Object: Sendable {
        let entity: String
        var attributes: [String: StoredValue] = [:]
        /// Identifiers: one or none for to-one, in order if ordered, else sorted as text.
        var relationships: [String: [String]] = [:]
        /// Only a dump knows it.
        var version: Int?
    }

    /// By identifier.
    private(set) var objects: [String: Object] = [:]

    // MARK: From objects

    /// Reads all objects of a context, property by property.
    init(of context: NSManagedObjectContext, _ model: NSManagedObjectModel) throws {
        for entity in model.entities where !entity.isAbstract {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.includesSubentities = false
            for object in try context.fetch(request) { objects[Self.identifier(object.objectID)] = Self.read(object) }
        }
    }

    private static func read(_ object: NSManagedObject) -> Object {
        var result = Object(entity: object.entity.name ?? "")
        for attribute in object.entity.attributesByName.values where attribute.isDumped {
            result.attributes[attribute.name] = StoredValue(object.value(forKey: attribute.name), of: attribute)
        }
        for relationship in object.entity.relationshipsByName.values where !relationship.isTransient {
            let ids: [String]
            switch object.value(forKey: relationship.name) {
            case let destination as NSManagedObject: ids = [identifier(destination.objectID)]
            case let members as NSOrderedSet:
                ids = members.compactMap { ($0 as? NSManagedObject).map { identifier($0.objectID) } }
            case let members as NSSet:
                ids = members.compactMap { ($0 as? NSManagedObject).map { identifier($0.objectID) } }.sorted()
            default: ids = []
            }
            result.relationships[relationship.name] = ids
        }
        return result
    }

    static func identifier(_ id: NSManagedObjectID) -> String { id.uriRepresentation().absoluteString }

    // MARK: From a dump

    init(_ dump: StoreDump, _ model: NSManagedObjectModel) throws {
        for (name, dumped) in dump.entities {
            guard let entity = model.entitiesByName[name], dumped.objects.count == dumped.count else {
                throw CocoaError(.coderReadCorrupt, userInfo: [NSLocalizedDescriptionKey: "The dump's entity \(name) is wrong"])
            }
            let attributes = entity.attributesByName
            for object in dumped.objects {
                var result = Object(entity: name, version: object.version)
                for (name, value) in object.attributes {
                    result.attributes[name] =
                        attributes[name].map { StoredValue(value, of: $0) } ?? .unexpected("no attribute \(name)")
                }
                result.relationships = object.relationships.mapValues(\.identifiers)
                objects[object.id] = result
            }
        }
    }

    // MARK: Comparison

    /// What differs, one line for each property; "here" is this one.
    func differences(from other: StoreContents) -> [String] {
        var lines: [String] = []
        for (id, object) in objects {
            let place = id.split(separator: "/").suffix(2).joined(separator: "/")
            guard let there = other.objects[id] else {
                lines.append("\(place): only here")
                continue
            }
            lines += object.differences(from: there).map { "\(place).\($0)" }
        }
        lines += other.objects.keys.filter { objects[$0] == nil }.map { "\($0): only there" }
        return lines.sorted()
    }
}

extension StoreContents.Object {
    /// What differs, versions aside.
    func differences(from other: StoreContents.Object) -> [String] {
        var lines: [String] = []
        for name in Set(attributes.keys).union(other.attributes.keys) {
            let (here, there) = (attributes[name], other.attributes[name])
            if let here, let there, here.isSame(as: there) { continue }
            lines.append("\(name): here \(here?.description ?? "missing"), there \(there?.description ?? "missing")")
        }
        for name in Set(relationships.keys).union(other.relationships.keys) {
            let (here, there) = (relationships[name], other.relationships[name])
            if here != there { lines.append("\(name): here \(here ?? ["missing"]), there \(there ?? ["missing"])") }
        }
        return lines
    }
}

extension NSAttributeDescription {
    /// Dumps leave out what the store does not keep.
    var isDumped: Bool { !isTransient && type != .undefined }
}

/// Expects two stores to hold the same, and shows the first differences if they don't.
func expectSame(_ here: StoreContents, _ there: StoreContents, at location: SourceLocation = #_sourceLocation) {
    let lines = here.differences(from: there)
    #expect(lines.isEmpty, "\(lines.count) differences:\n\(lines.prefix(20).joined(separator: "\n"))", sourceLocation: location)
}

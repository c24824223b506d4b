package import DataModel
import Predicates

/// Looks names up that a person has typed, and offers the nearest one for those that don't exist.
package enum ModelNames {
    package static func entity(_ name: String, in model: NSManagedObjectModel) throws -> NSEntityDescription {
        if let entity = model.entitiesByName[name] { return entity }
        let names = model.entities.compactMap(\.name).sorted()
        throw unknown("there is no entity “\(TextWidth.shown(name, limit: 60))”", name, names, "the entities")
    }

    /// The property at the end of a key path, whose other keys are relationships.
    package static func property(_ path: String, of entity: NSEntityDescription) throws -> NSPropertyDescription {
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var entity = entity
        for (place, key) in keys.enumerated() {
            guard let property = entity.propertiesByName[key] else {
                let names = entity.propertiesByName.keys.sorted()
                throw unknown(
                    "\(entity.name ?? "") has no property “\(TextWidth.shown(key, limit: 60))”", key, names, "its properties")
            }
            if place == keys.count - 1 { return property }
            guard let next = (property as? NSRelationshipDescription)?.destinationEntity else {
                throw ToolError("\(entity.name ?? "").\(key) is not a relationship, so “\(TextWidth.shown(path))” leads nowhere")
            }
            entity = next
        }
        throw ToolError("a key is missing")
    }

    private static func unknown(_ message: String, _ name: String, _ names: [String], _ kind: String) -> ToolError {
        if let nearest = NearestName.suggestion(for: name, among: names) {
            return ToolError(message, hint: "did you mean “\(nearest)”?")
        }
        let shown = names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
        return ToolError(message, hint: names.isEmpty ? "there are none" : "\(kind) are: \(shown)")
    }

    /// The attribute by which people tell objects of an entity apart; nil if there is none that is a text or number.
    package static func titleKey(of entity: NSEntityDescription) -> String? {
        let attributes = entity.attributesByName.values.filter { !$0.isTransient }
        let texts = attributes.filter { $0.attributeType == .stringAttributeType }.map(\.name).sorted()
        for wanted in ["title", "name", "fullname", "displayname", "label", "caption", "text", "summary", "identifier", "key"] {
            if let key = texts.first(where: { $0.lowercased() == wanted }) { return key }
        }
        if let key = texts.first(where: { $0.lowercased().hasSuffix("name") || $0.lowercased().hasSuffix("title") }) {
            return key
        }
        if let key = texts.first { return key }
        return attributes.filter { [.UUIDAttributeType, .URIAttributeType].contains($0.attributeType) }.map(\.name).min()
    }
}

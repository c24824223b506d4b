import DataModel
import Foundation
import ObjectGraph

/// What is wrong in a store.
@MainActor struct StoreCheckup {
    struct Finding: Hashable {
        /// `Movie/p12`, or nil for the file as a whole.
        let object: String?
        let property: String?
        let text: String

        var line: String {
            guard let object else { return text }
            return "\(object)\(property.map { ".\($0)" } ?? ""): \(text)"
        }
    }

    private(set) var findings: [Finding] = []
    private(set) var objectCount = 0

    init(_ opened: OpenedStore, _ progress: (String) -> Void) throws {
        progress("checking the file")
        for text in try opened.store.damages() ?? [] { findings.append(Finding(object: nil, property: nil, text: text)) }
        let keys = try StoreKeys(opened)
        for entity in opened.entities where !entity.isAbstract {
            let name = entity.name ?? ""
            progress("checking \(TextWidth.shown(name, limit: 60))")
            let attributes = entity.attributesByName.values.filter { !$0.isTransient }.sorted { $0.name < $1.name }
            let relationships = entity.relationshipsByName.values.filter { !$0.isTransient }.sorted { $0.name < $1.name }
            var found: [Finding] = []
            var count = 0
            try keys.forEach(entity, in: opened) { object in
                count += 1
                let id = OpenedStore.shortText(object.objectID)
                for attribute in attributes where object.value(forKey: attribute.name) == nil && !attribute.isOptional {
                    found.append(Finding(object: id, property: attribute.name, text: "the value is required and missing"))
                }
                for relationship in relationships {
                    let ids = object.objectIDs(forRelationshipNamed: relationship.name)
                    for missing in ids where keys.number(of: missing) == nil {
                        found.append(
                            Finding(
                                object: id, property: relationship.name,
                                text: "leads to \(OpenedStore.shortText(missing)), which does not exist"))
                    }
                    if ids.isEmpty, !relationship.isOptional {
                        found.append(Finding(object: id, property: relationship.name, text: "an object is required and missing"))
                    }
                    Self.checkInverse(object, relationship, keys, opened, id, &found)
                }
            }
            findings += found
            objectCount += count
        }
        for failure in opened.context.readingFailures {
            findings.append(
                Finding(
                    object: OpenedStore.shortText(failure.objectID), property: failure.propertyName,
                    text: failure.storeError.localizedDescription))
        }
    }

    /// Both ends of a relationship between single objects are stored, so they can contradict each other.
    private static func checkInverse(
        _ object: NSManagedObject, _ relationship: NSRelationshipDescription, _ keys: StoreKeys, _ opened: OpenedStore,
        _ id: String, _ found: inout [Finding]
    ) {
        guard !relationship.isToMany, let inverse = relationship.inverseRelationship, !inverse.isToMany,
            let other = object.objectIDs(forRelationshipNamed: relationship.name).first, keys.number(of: other) != nil
        else { return }
        let back = opened.context.object(with: other).objectIDs(forRelationshipNamed: inverse.name)
        if back.first?.key == object.objectID.key { return }
        found.append(
            Finding(
                object: id, property: relationship.name,
                text: "leads to \(OpenedStore.shortText(other)), whose \(inverse.name) does not lead back"))
    }
}

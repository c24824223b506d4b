import Foundation
import Predicates

/// The text that version hashes are computed from: everything that is known to change Apple's hash, and nothing else.
///
/// A change of this text changes the hash of every store we wrote, so it must stay as it is.
enum VersionHashText {
    static func entity(_ entity: NSEntityDescription) -> String {
        var lines = [
            "entity", field(entity.name), field(entity.superentity?.name), entity.isAbstract ? "abstract" : "concrete",
            field(entity.versionHashModifier),
        ]
        lines += entity.propertiesByName.values.filter(isHashed).map(property)
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        lines += entity.uniquenessConstraintNames.map { "unique " + $0.map(field).joined(separator: " ") }.sorted()
        return lines.joined(separator: "\n")
    }

    static func property(_ property: NSPropertyDescription) -> String {
        var fields = [
            field(property.name), property.isOptional ? "optional" : "required", property.isTransient ? "transient" : "stored",
            field(property.versionHashModifier),
        ]
        switch property {
        case let relationship as NSRelationshipDescription:
            fields += [
                "relationship", field(relationship.destinationEntity?.name), field(relationship.inverseRelationship?.name),
                String(relationship.minCount), String(relationship.maxCount), relationship.isOrdered ? "ordered" : "unordered",
            ]
        case let attribute as NSAttributeDescription:
            let derived = attribute as? NSDerivedAttributeDescription
            fields += ["attribute", String(attribute.type.rawValue), derived == nil ? "writable" : "read-only"]
            if let derived {
                fields += [
                    field(derived.derivationExpressionString),
                    field(derived.filterPredicate.map { PredicatePrinter.print(PredicateNode($0)) }),
                ]
            }
            if let composite = attribute as? NSCompositeAttributeDescription, composite.nestingProblem == nil {
                fields += ["("] + composite.elements.map(self.property).sorted() + [")"]
            }
        default:
            break
        }
        return fields.joined(separator: " ")
    }

    private static func isHashed(_ property: NSPropertyDescription) -> Bool {
        if let attribute = property as? NSAttributeDescription { return attribute.isStored }
        return !property.isTransient
    }

    /// Length first, so that no name can look like several fields.
    private static func field(_ text: String?) -> String {
        guard let text else { return "-" }
        return "\(text.utf8.count):\(text)"
    }
}

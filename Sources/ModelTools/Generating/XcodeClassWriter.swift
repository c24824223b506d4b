import DataModel
import Foundation

/// Writes the declarations that Xcode generates.
struct XcodeClassWriter {
    private let entity: NSEntityDescription
    private let names: ClassNames
    private let name: String

    init(_ entity: NSEntityDescription, _ names: ClassNames) {
        self.entity = entity
        self.names = names
        name = names[entity]
    }

    /// The file with the class, which people edit.
    var classText: String {
        let parent = entity.superentity.map { names[$0] } ?? "NSManagedObject"
        return """
            import Foundation
            import CoreData

            @objc(\(name))
            public class \(name): \(parent) {

            }

            """
    }

    /// The file with the properties, which is written again.
    var propertiesText: String {
        let properties = entity.ownProperties.sorted { $0.name < $1.name }
        var lines = [
            "import Foundation", "import CoreData", "", "", "extension \(name) {", "",
            "    @nonobjc public class func fetchRequest() -> NSFetchRequest<\(name)> {",
            "        return NSFetchRequest<\(name)>(entityName: \(SwiftName.literal(entity.name ?? "")))", "    }", "",
        ]
        for case let attribute as NSAttributeDescription in properties {
            lines.append("    @NSManaged public var \(SwiftName.declared(attribute.name)): \(type(attribute))")
        }
        let relationships = properties.compactMap { $0 as? NSRelationshipDescription }
        for relationship in relationships {
            let type =
                relationship.isToMany
                ? relationship.isOrdered ? "NSOrderedSet?" : "NSSet?"
                : (relationship.destinationEntity.map { names[$0] } ?? "NSManagedObject") + "?"
            lines.append("    @NSManaged public var \(SwiftName.declared(relationship.name)): \(type)")
        }
        lines += ["", "}", ""]
        for relationship in relationships where relationship.isToMany {
            lines += accessors(relationship) + [""]
        }
        if entity.superentity == nil { lines += ["extension \(name) : Identifiable {", "", "}", ""] }
        return lines.joined(separator: "\n")
    }

    private func type(_ attribute: NSAttributeDescription) -> String {
        let usesScalar = attribute.editorValues?["usesScalarValueType"].map { $0 == "YES" } ?? false
        switch attribute.type {
        case .integer16, .integer32, .integer64, .boolean, .double, .float:
            return usesScalar ? EntityClassWriter.typeName(attribute.type) : "NSNumber?"
        case .date: return usesScalar ? "TimeInterval" : "Date?"
        case .decimal: return "NSDecimalNumber?"
        case .composite: return "[String : Any]?"
        case .transformable:
            let custom = attribute.attributeValueClassName ?? ""
            let last = custom.hasPrefix("[") ? custom : custom.split(separator: ".").last.map(String.init) ?? ""
            return (last.isEmpty ? "NSObject" : last) + "?"
        case .undefined, .objectID: return "NSObject?"
        default: return EntityClassWriter.typeName(attribute.type) + "?"
        }
    }

    private func accessors(_ relationship: NSRelationshipDescription) -> [String] {
        let key = relationship.name.prefix(1).uppercased() + relationship.name.dropFirst()
        let type = relationship.destinationEntity.map { names[$0] } ?? "NSManagedObject"
        let set = relationship.isOrdered ? "NSOrderedSet" : "NSSet"
        var functions: [(selector: String, declaration: String)] = []
        if relationship.isOrdered {
            functions += [
                ("insertObject:in\(key)AtIndex:", "insertInto\(key)(_ value: \(type), at idx: Int)"),
                ("removeObjectFrom\(key)AtIndex:", "removeFrom\(key)(at idx: Int)"),
                ("insert\(key):atIndexes:", "insertInto\(key)(_ values: [\(type)], at indexes: NSIndexSet)"),
                ("remove\(key)AtIndexes:", "removeFrom\(key)(at indexes: NSIndexSet)"),
                ("replaceObjectIn\(key)AtIndex:withObject:", "replace\(key)(at idx: Int, with value: \(type))"),
                ("replace\(key)AtIndexes:with\(key):", "replace\(key)(at indexes: NSIndexSet, with values: [\(type)])"),
            ]
        }
        functions += [
            ("add\(key)Object:", "addTo\(key)(_ value: \(type))"),
            ("remove\(key)Object:", "removeFrom\(key)(_ value: \(type))"),
            ("add\(key):", "addTo\(key)(_ values: \(set))"), ("remove\(key):", "removeFrom\(key)(_ values: \(set))"),
        ]
        var lines = ["// MARK: Generated accessors for \(relationship.name)", "extension \(name) {", ""]
        for function in functions {
            lines += ["    @objc(\(function.selector))", "    @NSManaged public func \(function.declaration)", ""]
        }
        return lines + ["}"]
    }
}

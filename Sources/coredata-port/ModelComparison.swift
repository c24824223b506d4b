import DataModel
import Foundation
import SourcePorting

/// Compares classes with the entities of a model.
struct ModelComparison {
    /// The mistakes in the sources.
    private(set) var messages: [(path: String, message: PortingMessage)] = []
    /// Parts of the model that the sources don't have.
    private(set) var modelMessages: [String] = []

    /// - Throws: An error that says why the model can't be read.
    init(modelAt path: String, _ sources: SourceClasses) throws {
        let model = try NSManagedObjectModel(readingModelAt: URL(fileURLWithPath: path))
        for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            let className = entity.managedObjectClassName ?? ""
            let components = className.split(separator: ".").map(String.init)
            guard let name = components.last, name != "NSManagedObject" else { continue }
            let entityName = entity.name ?? ""
            guard let parts = sources.parts[name], let declaration = parts.first(where: { !$0.outline.isExtension }) else {
                modelMessages.append(
                    "the class \(name) of the entity \(entityName) is not in the files: if Xcode generates it, write it out (Editor > Create NSManagedObject Subclass)"
                )
                continue
            }
            if components.count > 1, let module = declaration.module, components[0] != module {
                add(
                    declaration, declaration.outline.line, declaration.outline.column,
                    "the class \(name) is in the module \(module), but the entity \(entityName) says \(className)")
            }
            for part in parts { compare(part, entity) }
        }
    }

    private mutating func add(_ part: SourceClasses.Part, _ line: Int, _ column: Int, _ text: String) {
        messages.append((part.path, PortingMessage(.warning, line: line, column: column, text)))
    }

    private mutating func compare(_ part: SourceClasses.Part, _ entity: NSEntityDescription) {
        let name = "\(part.outline.name)"
        let entityName = entity.name ?? ""
        for property in part.outline.properties {
            guard let description = entity.propertiesByName[property.storedName] else {
                if Self.isPrimitive(property.storedName, of: entity) { continue }
                add(
                    part, property.line, property.column,
                    "\(name).\(property.name): the entity \(entityName) has no property \(property.storedName)")
                continue
            }
            guard let wanted = TypeFit.contradiction(property.type, description) else { continue }
            add(
                part, property.line, property.column,
                "\(name).\(property.name) is declared as \(property.type), but \(entityName).\(property.storedName) is \(wanted)")
        }
        for accessor in part.outline.accessors {
            let relationship = entity.relationshipsByName[accessor.key]
            var problem: String?
            if relationship == nil || relationship?.isToMany == false {
                problem =
                    relationship == nil
                    ? "the entity \(entityName) has no relationship \(accessor.key)"
                    : "the relationship \(entityName).\(accessor.key) is a to-one relationship"
            } else if let isOrdered = accessor.isOrdered, isOrdered != relationship?.isOrdered {
                problem = "the relationship \(entityName).\(accessor.key) is \(isOrdered ? "not " : "")ordered"
            }
            if let problem { add(part, accessor.line, accessor.column, "this accessor does not fit: \(problem)") }
        }
    }

    /// `primitiveTitle` is the primitive value of `title`.
    private static func isPrimitive(_ name: String, of entity: NSEntityDescription) -> Bool {
        guard name.hasPrefix("primitive") else { return false }
        let rest = name.dropFirst("primitive".count)
        return [rest.prefix(1).lowercased() + rest.dropFirst(), String(rest)].contains { entity.propertiesByName[$0] != nil }
    }
}

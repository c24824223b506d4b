import DataModel
import Foundation
import ObjectGraph

/// `coredata object STORE URI`
package enum ObjectCommand: ToolCommand {
    package static let syntax = CommandSyntax(
        "object", "One object with everything around it.",
        [
            .argument("STORE", "the store's file"), .argument("URI", "x-coredata://…/Movie/p12, or Movie/p12"),
            .option("model", "MODEL", "a model, if the store carries none"),
        ], example: "coredata object Cinema.sqlite Movie/p12")

    package static func run(_ arguments: CommandArguments, _ output: any ToolOutput) throws -> ToolStatus {
        let opened = try OpenedStore(arguments.required("STORE"), modelPath: arguments.text("model"))
        let uri = try arguments.required("URI")
        let object: NSManagedObject
        let id = try opened.objectID(uri)
        do {
            object = try opened.context.existingObject(with: id)
        } catch {
            throw ToolError(
                "there is no object \(OpenedStore.shortText(id))", hint: "coredata show lists the objects of an entity")
        }
        let entity = object.entity
        let properties = entity.propertiesByName.values.filter { !$0.isTransient && !($0 is NSFetchedPropertyDescription) }
            .sorted { $0.name < $1.name }
        if arguments.has("json") {
            var members = Dictionary(uniqueKeysWithValues: properties.map { ($0.name, opened.json(object, $0.name)) })
            members["$id"] = .string(OpenedStore.shortText(object.objectID))
            output.write(.object(members))
            return opened.reportFailures(output)
        }
        output.line(output.style.bold(TextWidth.shown("\(entity.name ?? ""): \(opened.title(of: object))", limit: 200)))
        output.line(object.objectID.uriRepresentation().absoluteString)
        let width = properties.map { TextWidth.columns($0.name) }.max() ?? 0
        func label(_ name: String) -> String { name + String(repeating: " ", count: width - TextWidth.columns(name)) }
        for property in properties where property is NSAttributeDescription {
            let value = object.value(forKey: property.name)
            let text = value == nil ? "—" : StoredValue.text(value, (property as? NSAttributeDescription)?.type)
            output.line("\(label(property.name))  \(TextWidth.shown(text, limit: 400))")
        }
        for case let relationship as NSRelationshipDescription in properties {
            let objects = opened.related(object, relationship)
            let destination = relationship.destinationEntity?.name ?? ""
            let count = relationship.isToMany ? "\(objects.count) of \(destination)" : objects.isEmpty ? "—" : destination
            output.line("\(label(relationship.name))  → \(count)")
            for related in objects.prefix(20) {
                let name = OpenedStore.shortText(related.objectID)
                let title = opened.title(of: related)
                let text = title == name ? name : "\(name)  \(TextWidth.shown(title, limit: 100))"
                output.line(String(repeating: " ", count: width + 4) + text)
            }
            if objects.count > 20 { output.line(String(repeating: " ", count: width + 4) + "… and \(objects.count - 20) more") }
        }
        return opened.reportFailures(output)
    }
}

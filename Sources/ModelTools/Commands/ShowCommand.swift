import DataModel
import Foundation
import ObjectGraph

/// `coredata show STORE ENTITY`
package enum ShowCommand: ToolCommand {
    package static let syntax = CommandSyntax(
        "show", "The objects of an entity as a table.",
        [
            .argument("STORE", "the store's file"), .argument("ENTITY", "the entity's name"),
            .option("where", "FORMAT", "a predicate, such as 'rating > 7 AND director.name BEGINSWITH \"A\"'"),
            .option("sort", "KEYS", "keys with commas between them, a minus sign before one that goes downwards"),
            .option("limit", "N", "how many objects at most; 50 unless given, 0 for all"),
            .option("columns", "KEYS", "keys or key paths with commas between them"),
            .option("model", "MODEL", "a model, if the store carries none"),
        ], example: "coredata show Cinema.sqlite Movie --where 'minutes > 120' --sort -rating --columns title,director.name")

    package static func run(_ arguments: CommandArguments, _ output: any ToolOutput) throws -> ToolStatus {
        let opened = try OpenedStore(arguments.required("STORE"), modelPath: arguments.text("model"))
        let entity = try opened.entity(arguments.required("ENTITY"))
        let limit = try arguments.count("limit") ?? 50
        let columns = try columns(arguments.text("columns"), entity)
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        if let format = arguments.text("where") { request.predicate = try StorePredicate.predicate(format) }
        let count = try opened.context.count(for: request)
        request.sortDescriptors = try StorePredicate.sortDescriptors(arguments.text("sort"), entity)
        request.fetchLimit = limit
        request.returnsObjectsAsFaults = false
        var objects = try opened.context.fetch(request)
        // Without an order the store's own is shown, which is that of the IDs.
        if request.sortDescriptors?.isEmpty != false { objects.sort { $0.objectID.key < $1.objectID.key } }
        if arguments.has("json") {
            output.write(
                .array(
                    objects.map { object in
                        var members = Dictionary(uniqueKeysWithValues: columns.map { ($0, opened.json(object, $0)) })
                        members["$id"] = .string(OpenedStore.shortText(object.objectID))
                        return .object(members)
                    }))
            return opened.reportFailures(output)
        }
        var table = TextTable(
            [TextTable.Column("id")]
                + columns.map { path in TextTable.Column(path, isNumeric: isNumeric(path, entity)) })
        let hasSubentities = !entity.subentities.isEmpty
        for object in objects {
            let id = OpenedStore.shortText(object.objectID)
            table.add([hasSubentities ? id : "p\(object.objectID.key)"] + columns.map { opened.cell(object, $0) })
        }
        output.write(table)
        if objects.count < count {
            output.remark("\(objects.count) of \(count) objects; --limit 0 shows all")
        }
        return opened.reportFailures(output)
    }

    private static func columns(_ text: String?, _ entity: NSEntityDescription) throws -> [String] {
        if let text {
            // A key twice is a column once.
            var seen: Set<String> = []
            let keys = StorePredicate.keys(text).filter { seen.insert($0).inserted }
            for key in keys { _ = try ModelNames.property(key, of: entity) }
            return keys
        }
        let title = ModelNames.titleKey(of: entity)
        let attributes = entity.attributesByName.values.filter { !$0.isTransient && $0.name != title }.map(\.name).sorted()
        let relationships = entity.relationshipsByName.values.filter { !$0.isTransient }.map(\.name).sorted()
        return (title.map { [$0] } ?? []) + attributes + relationships
    }

    private static func isNumeric(_ path: String, _ entity: NSEntityDescription) -> Bool {
        guard let attribute = entity.attributesByName[path] else { return false }
        return [.integer16, .integer32, .integer64, .double, .float, .decimal].contains(attribute.type)
    }
}

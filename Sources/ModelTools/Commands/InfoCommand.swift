import DataModel
import Foundation
import ObjectGraph

/// `coredata info STORE`
package enum InfoCommand: ToolCommand {
    package static let syntax = CommandSyntax(
        "info", "What a store is and what is in it.",
        [
            .argument("STORE", "the store's file"), .option("model", "MODEL", "a model, if the store carries none"),
            .flag("no-counts", "don't count objects, which takes time for large stores"),
        ], example: "coredata info Cinema.sqlite")

    package static func run(_ arguments: CommandArguments, _ output: any ToolOutput) throws -> ToolStatus {
        let path = try arguments.required("STORE")
        let files = StoreFileSizes(path)
        let opened = try OpenedStore(path, modelPath: arguments.text("model"))
        let metadata = opened.metadata
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        var counts: [String: Int] = [:]
        if !arguments.has("no-counts") {
            for entity in opened.entities where !entity.isAbstract {
                let name = entity.name ?? ""
                let request = NSFetchRequest<NSManagedObject>(entityName: name)
                request.includesSubentities = false
                counts[name] = try opened.context.count(for: request)
            }
        }
        let framework = metadata["NSPersistenceFrameworkVersion"].map { "\($0)" }
        let identifiers = (metadata[NSStoreModelVersionIdentifiersKey] as? [Any] ?? []).map { "\($0)" }.filter { !$0.isEmpty }
        let hasHistory = metadata.values.contains { "\($0)".contains("ATRANSACTION") }
        var notes = files.notes
        if (try? NSManagedObjectModel(cachedInStoreAt: opened.url)) == nil {
            notes.append("the store carries no model, as those of old frameworks")
        }
        let ownKeys = metadata.keys.filter { !$0.hasPrefix("NS") && !$0.hasPrefix("_") && !$0.hasPrefix("OpenCoreData") }.sorted()
        if arguments.has("json") {
            output.write(
                .object([
                    "uuid": JSONValue(opened.store.identifier), "frameworkVersion": JSONValue(framework),
                    "modelIdentifiers": .array(identifiers.sorted().map(JSONValue.string)), "bytes": JSONValue(files.main),
                    "logBytes": files.log.map(JSONValue.init) ?? .null, "externalFiles": JSONValue(files.externalCount),
                    "externalBytes": JSONValue(files.externalBytes), "hasHistory": .bool(hasHistory),
                    "metadataKeys": .array(ownKeys.map(JSONValue.string)), "notes": .array(notes.map(JSONValue.string)),
                    "entities": .array(
                        opened.entities.map { entity in
                            let name = entity.name ?? ""
                            return .object([
                                "name": .string(name), "count": counts[name].map(JSONValue.init) ?? .null,
                                "isAbstract": .bool(entity.isAbstract), "superentity": JSONValue(entity.superentity?.name),
                                "versionHash": JSONValue(hashes[name]?.base64EncodedString()),
                            ])
                        }),
                ]))
            return .success
        }
        func fact(_ name: String, _ text: String) {
            output.line(output.style.bold(name + String(repeating: " ", count: 12 - name.count)) + TextWidth.shown(text))
        }
        fact("UUID", opened.store.identifier ?? "")
        fact("framework", framework ?? "not said")
        if !identifiers.isEmpty { fact("versions", identifiers.sorted().joined(separator: ", ")) }
        fact("size", files.text)
        fact("history", hasHistory ? "is recorded" : "none")
        if !ownKeys.isEmpty { fact("metadata", ownKeys.joined(separator: ", ")) }
        for note in notes { fact("note", note) }
        output.line("")
        var table = TextTable([
            .init("entity"), .init("objects", isNumeric: true), .init("parent"), .init("version hash"),
        ])
        for entity in opened.entities {
            let name = entity.name ?? ""
            table.add([
                name, entity.isAbstract ? "abstract" : counts[name].map { "\($0)" } ?? "", entity.superentity?.name ?? "",
                hashes[name].map { $0.prefix(4).map { String(Int($0) + 256, radix: 16).dropFirst() }.joined() } ?? "",
            ])
        }
        output.write(table)
        return .success
    }
}

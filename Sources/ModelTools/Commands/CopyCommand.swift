import DataModel
import Foundation
import ObjectGraph

/// `coredata copy STORE TO`
package enum CopyCommand: ToolCommand {
    package static let syntax = CommandSyntax(
        "copy", "Copy a store as it is at one moment, with its log and external files. Writes new files.",
        [.argument("STORE", "the store's file; it may be in use"), .argument("TO", "the file to make")],
        example: "coredata copy Cinema.sqlite Backup.sqlite")

    package static func run(_ arguments: CommandArguments, _ output: any ToolOutput) throws -> ToolStatus {
        let source = try ModelFile.existing(arguments.required("STORE"))
        let path = try arguments.required("TO")
        let target = try ModelFile.new(path)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        try coordinator.replacePersistentStore(
            at: target, withPersistentStoreFrom: source, sourceOptions: [NSReadOnlyPersistentStoreOption: true], type: .sqlite)
        if arguments.has("json") {
            output.write(.object(["path": .string(path)]))
        } else {
            output.line(TextWidth.shown("copied to \(path)"))
        }
        return .success
    }
}

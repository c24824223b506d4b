import OpenCoreData
import Testing

/// The program `save-loop`, which saves to a store again and again.
enum SaveLoop {
    /// An executable of the package.
    static func program(named name: String) -> URL? {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        // The test bundle is a folder on some systems.
        var folders = [folder, Bundle.main.bundleURL]
        for _ in 0..<4 { folders.append(folders[folders.count - 1].deletingLastPathComponent()) }
        return folders.map { $0.appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    static func start(_ arguments: [String]) throws -> (process: Process, output: FileHandle) {
        let process = Process()
        let executable: URL = try #require(program(named: "save-loop"))
        process.executableURL = executable
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        return (process, pipe.fileHandleForReading)
    }

    /// The model of its stores.
    static func model() -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        func entity(_ name: String, _ attributes: [(String, NSAttributeDescription.AttributeType)]) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties = attributes.map { name, type in
                let attribute = NSAttributeDescription()
                (attribute.name, attribute.type, attribute.isOptional) = (name, type, false)
                return attribute
            }
            return entity
        }
        model.entities = [
            entity("Total", [("count", .integer64)]), entity("Entry", [("number", .integer64), ("text", .string)]),
            entity("Picture", [("number", .integer64), ("data", .binaryData)]),
        ]
        model.entitiesByName["Picture"]?.attributesByName["data"]?.allowsExternalBinaryDataStorage = true
        return model
    }
}

import Foundation
import PackagePlugin

/// Puts the data models under a target's folder into its resource bundle: `Cinema.momd` for `Cinema.xcdatamodeld`,
/// `Cinema.mom` for a `Cinema.xcdatamodel` by itself.
@main
struct CoreDataModels: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        #if os(macOS)
            // Xcode compiles the models on macOS.
            return []
        #else
            guard let target = target as? any SourceModuleTarget else { return [] }
            let tool = try context.tool(named: "compile-model").url
            // The folder itself may be a link, which would not be followed otherwise.
            let root = target.directoryURL.resolvingSymlinksInPath()
            let others = context.package.targets.filter { $0.id != target.id }.map {
                $0.directoryURL.resolvingSymlinksInPath().path
            }
            return Self.models(in: root, without: Set(others)).map { file in
                // The path is below the target's own path, by which SwiftPM knows its files.
                let steps = file.pathComponents.dropFirst(root.pathComponents.count)
                let model = steps.reduce(target.directoryURL) { $0.appending(component: $1) }
                let name = model.deletingPathExtension().lastPathComponent
                let isBundle = model.pathExtension == "xcdatamodeld"
                let copy = context.pluginWorkDirectoryURL.appending(component: "\(name).\(isBundle ? "momd" : "mom")")
                return .buildCommand(
                    displayName: "Compiling \(model.lastPathComponent)", executable: tool, arguments: [model.path, copy.path],
                    // The folders are inputs, too: a version that is added or removed changes one.
                    inputFiles: [model] + Self.contents(of: model), outputFiles: [copy])
            }
        #endif
    }

    /// Sorted by path. Models of other targets are left out.
    private static func models(in folder: URL, without others: Set<String>) -> [URL] {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
        var found: [URL] = []
        while let file = files?.nextObject() as? URL {
            let file = file.standardizedFileURL
            let isModel = ["xcdatamodeld", "xcdatamodel"].contains(file.pathExtension)
            if isModel { found.append(file) }
            if isModel || others.contains(file.path) { files?.skipDescendants() }
        }
        return found.sorted { $0.path < $1.path }
    }

    private static func contents(of model: URL) -> [URL] {
        let files = FileManager.default.enumerator(at: model, includingPropertiesForKeys: nil)
        var found: [URL] = []
        while let file = files?.nextObject() as? URL { found.append(file) }
        return found.sorted { $0.path < $1.path }
    }
}

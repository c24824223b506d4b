import Foundation
import PackagePlugin

/// Compiles copies, without Objective-C, of the Swift files under a target's folder that its manifest excludes.
@main
struct PortedCoreDataSources: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        #if os(macOS)
            // On macOS the sources are built as they are.
            return []
        #else
            guard let target = target as? any SourceModuleTarget else { return [] }
            let tool = try context.tool(named: "port-source").url
            // The folder itself may be a link, which would not be followed otherwise.
            let root = target.directoryURL.resolvingSymlinksInPath()
            let compiled = Set(target.sourceFiles.map { $0.url.resolvingSymlinksInPath().path })
            let others = context.package.targets.filter { $0.id != target.id }.map {
                $0.directoryURL.resolvingSymlinksInPath().path
            }
            return Self.swiftFiles(in: root, without: Set(others)).filter { !compiled.contains($0.path) }.map { source in
                var copy = context.pluginWorkDirectoryURL
                for folder in source.deletingLastPathComponent().pathComponents.dropFirst(root.pathComponents.count) {
                    copy.append(component: folder)
                }
                // The copy has a name of its own, because two files of one name in one module have the same `#fileID`.
                copy.append(component: "\(source.deletingPathExtension().lastPathComponent)-ported.swift")
                return .buildCommand(
                    displayName: "Porting \(source.lastPathComponent)", executable: tool, arguments: [source.path, copy.path],
                    inputFiles: [source], outputFiles: [copy])
            }
        #endif
    }

    /// Sorted by path. Files that are hidden, that belong to other targets or to the package itself, or that are in a
    /// playground and the like, are left out.
    private static func swiftFiles(in folder: URL, without others: Set<String>) -> [URL] {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
        var found: [URL] = []
        while let file = files?.nextObject() as? URL {
            let file = file.standardizedFileURL
            let isApart = ["bundle", "docc", "playground", "xcassets", "xcodeproj"].contains(file.pathExtension)
            if isApart || others.contains(file.path) {
                files?.skipDescendants()
            } else if file.pathExtension == "swift", !file.hasDirectoryPath, !file.lastPathComponent.hasPrefix("Package.swift"),
                !file.lastPathComponent.hasPrefix("Package@swift")
            {
                found.append(file)
            }
        }
        return found.sorted { $0.path < $1.path }
    }
}

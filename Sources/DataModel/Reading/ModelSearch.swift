package import Foundation

/// Finds the model files among the resources of bundles.
package enum ModelSearch {
    /// - Parameter bundles: Nil for the main bundle.
    /// - Returns: Folders that may not exist.
    package static func folders(of bundles: [Bundle]?) -> [URL] {
        var folders: [URL] = []
        for bundle in bundles ?? [.main] {
            folders += [bundle.resourceURL, bundle.bundleURL].compactMap { $0 }
            guard bundle === Bundle.main else { continue }
            // SwiftPM puts the resources of each target into a folder of its own beside the program.
            let all = entries(bundle.bundleURL).filter { ["resources", "bundle"].contains($0.pathExtension) }
            let names = Set(all.map(\.lastPathComponent))
            let neighbours = all.filter { !isToolCopy($0, beside: names) }
            folders += neighbours.flatMap { [$0, $0.appendingPathComponent("Contents/Resources")] }
        }
        var seen: Set<String> = []
        return folders.filter { seen.insert($0.standardizedFileURL.path).inserted }
    }

    /// The model files in folders, sorted by path. Versions inside a `.xcdatamodeld` or `.momd` are not among them.
    package static func models(in folders: [URL]) -> [URL] { files(in: folders, kinds: kinds) }

    /// The files and folders with one of some extensions, sorted by path.
    static func files(in folders: [URL], kinds: [String]) -> [URL] {
        folders.flatMap(entries).filter { kinds.contains($0.pathExtension) }.sorted { $0.path < $1.path }
    }

    /// Whether a file or folder is a model, by its name.
    package static func isModel(_ url: URL) -> Bool { kinds.contains(url.pathExtension) }

    /// All versions that a model file holds: those in a `.xcdatamodeld` or `.momd`, or the file itself.
    package static func versions(of file: URL) -> [URL] {
        guard file.pathExtension == "xcdatamodeld" || file.pathExtension == "momd" else { return [file] }
        // A folder that can't be listed has no models for us.
        return (try? ModelBundle.versions(of: file)) ?? []
    }

    /// Whether a folder is `X-tool.resources` beside `X.resources`: what a target was given when it was built as a tool of the
    /// build itself, which may be long ago.
    private static func isToolCopy(_ folder: URL, beside names: Set<String>) -> Bool {
        let name = folder.deletingPathExtension().lastPathComponent
        return name.hasSuffix("-tool") && names.contains("\(name.dropLast("-tool".count)).\(folder.pathExtension)")
    }

    private static let kinds = ["momd", "mom", "xcdatamodeld", "xcdatamodel"]

    private static func entries(_ folder: URL) -> [URL] {
        // A folder that can't be listed has no models for us.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.map { folder.appendingPathComponent($0) }
    }
}

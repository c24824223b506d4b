import Foundation
import SourcePorting

/// A Swift file and what porting it gives.
struct SourceFile {
    let path: String
    let text: String
    let ported: PortedSource

    /// The module it belongs to, by the folders of a Swift package; nil elsewhere.
    var module: String? {
        let folders = URL(fileURLWithPath: path).pathComponents.dropLast()
        guard let index = folders.lastIndex(where: { $0 == "Sources" || $0 == "Tests" }), index + 1 < folders.count else {
            return nil
        }
        return folders[index + 1]
    }

    /// Puts the ported text into the file, whole or not at all. A link stays one, and the file keeps its permissions.
    func writePorted() throws {
        let manager = FileManager.default
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let permissions = try manager.attributesOfItem(atPath: target.path)[.posixPermissions]
        try Data(ported.text.utf8).write(to: target, options: .atomic)
        if let permissions { try manager.setAttributes([.posixPermissions: permissions], ofItemAtPath: target.path) }
    }

    /// The Swift files that some paths name, sorted, each once. Hidden folders, `.build` for one, are left out.
    ///
    /// - Throws: For a path that names nothing.
    static func paths(in paths: [String]) throws -> [String] {
        let manager = FileManager.default
        var found: Set<String> = []
        for path in paths {
            var isFolder: ObjCBool = false
            guard manager.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw PortOptions.UsageError(description: "\(path): there is no such file or folder")
            }
            guard isFolder.boolValue else {
                found.insert(path)
                continue
            }
            let folder = URL(fileURLWithPath: path)
            let files = manager.enumerator(at: folder, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
            let count = folder.standardizedFileURL.pathComponents.count
            while let file = files?.nextObject() as? URL {
                guard file.pathExtension == "swift", !file.hasDirectoryPath else { continue }
                let inside = file.standardizedFileURL.pathComponents.dropFirst(count).joined(separator: "/")
                found.insert(path.hasSuffix("/") ? path + inside : "\(path)/\(inside)")
            }
        }
        return found.sorted()
    }
}

import Foundation
import SourcePorting

/// A Swift file and its ported text.
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

    /// Writes the ported text into the file, either completely or not at all. A link stays a link, and the file keeps
    /// its permissions.
    func writePorted() throws {
        let manager = FileManager.default
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let permissions = try manager.attributesOfItem(atPath: target.path)[.posixPermissions]
        try Data(ported.text.utf8).write(to: target, options: .atomic)
        if let permissions { try manager.setAttributes([.posixPermissions: permissions], ofItemAtPath: target.path) }
    }

    /// The Swift files that some paths name, sorted, each once. Hidden folders, such as `.build`, are left out.
    ///
    /// - Throws: An error for a path that does not exist.
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

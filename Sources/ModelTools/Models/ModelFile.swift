package import DataModel
package import Foundation
import ObjectGraph

/// Models wherever they are: in a source or compiled file, or inside a store.
package enum ModelFile {
    /// Reads the model at a path: `.xcdatamodeld`, `.xcdatamodel`, `.momd`, `.mom`, or a store that carries one.
    package static func read(_ path: String) throws -> NSManagedObjectModel {
        let url = try existing(path)
        return try isStore(url) ? NSManagedObjectModel(cachedInStoreAt: url) : NSManagedObjectModel(readingModelAt: url)
    }

    /// The URL of a path that must exist.
    package static func existing(_ path: String) throws -> URL {
        guard FileManager.default.fileExists(atPath: path) else {
            throw ToolError("there is no file “\(TextWidth.shown(path))”")
        }
        return URL(fileURLWithPath: path)
    }

    /// Whether a file is an SQLite database.
    package static func isStore(_ url: URL) -> Bool {
        guard let file = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
    }

    /// The URL of a file that is about to be made.
    package static func new(_ path: String) throws -> URL {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw ToolError("“\(TextWidth.shown(path))” exists already", hint: "give another path, or remove the file first")
        }
        return URL(fileURLWithPath: path)
    }
}

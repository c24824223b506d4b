package import Foundation

/// The folder with real models and stores. It is not part of the repository: tests that need it are skipped where it is absent.
///
///     @Test("…", .enabled(if: Fixtures.isAvailable)) func …
package enum Fixtures {
    /// The folder given in OPENCOREDATA_FIXTURES, else `shared/fixtures` beside the package or any folder above it,
    /// or beside the local repository that this is a worktree or clone of.
    package static let root: URL? = {
        let manager = FileManager.default
        func isFixtures(_ url: URL) -> Bool {
            manager.fileExists(atPath: url.appendingPathComponent("stores").path)
                && manager.fileExists(atPath: url.appendingPathComponent("models").path)
        }
        if let path = ProcessInfo.processInfo.environment["OPENCOREDATA_FIXTURES"] {
            let url = URL(fileURLWithPath: path)
            return isFixtures(url) ? url : nil
        }
        var starts = [URL(fileURLWithPath: #filePath).standardizedFileURL.deletingLastPathComponent()]
        while let start = starts.popLast() {
            var folder = start
            while folder.path != "/" {
                for candidate in ["shared/fixtures", "fixtures"].map(folder.appendingPathComponent) where isFixtures(candidate) {
                    return candidate
                }
                if let origin = repository(behind: folder) { starts.append(origin) }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }()

    /// Whether the folder is there.
    package static var isAvailable: Bool { root != nil }

    /// The folder of stores: one folder for each.
    package static var stores: URL { existingRoot.appendingPathComponent("stores") }

    /// The folder of models: one folder for each origin.
    package static var models: URL { existingRoot.appendingPathComponent("models") }

    /// The folder of the independent readers `store_oracle.py` and `model_oracle.py`.
    package static var tools: URL { existingRoot.deletingLastPathComponent().appendingPathComponent("tools") }

    /// Whether python3 and the independent readers are there.
    package static let hasOracles: Bool = {
        guard isAvailable, FileManager.default.fileExists(atPath: tools.appendingPathComponent("store_oracle.py").path) else {
            return false
        }
        return (try? runProcess("python3", ["--version"]).status) == 0
    }()

    /// All files and folders below a folder whose names fit, sorted by path; hidden ones too.
    package static func files(below folder: URL, where fits: (String) -> Bool) -> [URL] {
        let base = folder.standardizedFileURL
        let paths = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { fits(($0 as NSString).lastPathComponent) }.sorted().map(base.appendingPathComponent)
    }

    /// The local repository that a folder is a worktree or clone of, so that those find the same fixtures.
    private static func repository(behind folder: URL) -> URL? {
        let git = folder.appendingPathComponent(".git")
        if let text = try? String(contentsOf: git, encoding: .utf8), text.hasPrefix("gitdir: ") {
            return URL(fileURLWithPath: text.dropFirst(8).trimmingCharacters(in: .whitespacesAndNewlines))
        }
        guard let config = try? String(contentsOf: git.appendingPathComponent("config"), encoding: .utf8) else { return nil }
        for line in config.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if parts.count == 2, parts[0] == "url", parts[1].hasPrefix("/") { return URL(fileURLWithPath: parts[1]) }
        }
        return nil
    }

    private static var existingRoot: URL {
        guard let root else { fatalError("No fixtures: enable the test only if Fixtures.isAvailable") }
        return root
    }
}

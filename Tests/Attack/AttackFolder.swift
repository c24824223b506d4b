import Foundation

/// The folder of a run: the stores to attack, a folder for each attack, and files outside of it that nothing may touch.
struct AttackFolder {
    let url: URL

    var subjects: URL { url.appendingPathComponent("subjects") }
    /// Hostile links and names point here.
    var outside: URL { url.appendingPathComponent("outside") }
    /// Where the attacks are.
    var work: URL { url.appendingPathComponent("work") }
    /// The working folder of the child processes.
    var current: URL { url.appendingPathComponent("current") }

    /// The name of the file outside that hostile stores name.
    static let canary = "7E57ED00-0000-4000-8000-00000000CAFE"

    static func make() throws -> AttackFolder {
        let folder = AttackFolder(
            url: FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appendingPathComponent(
                "OpenCoreData-attack-\(UUID().uuidString)"))
        let manager = FileManager.default
        for url in [folder.subjects, folder.work, folder.current, folder.outside.appendingPathComponent("_EXTERNAL_DATA")] {
            try manager.createDirectory(at: url, withIntermediateDirectories: true)
        }
        for name in ["secret.txt", canary, "_EXTERNAL_DATA/\(canary)", "_EXTERNAL_DATA/secret.txt"] {
            try Data("nobody may touch this: \(name)".utf8).write(to: folder.outside.appendingPathComponent(name))
        }
        try Subject.prepare(in: folder.subjects)
        return folder
    }

    /// What is outside: paths, contents and dates of change.
    func stateOfOutside() -> [String] {
        let manager = FileManager.default
        return [outside, current].flatMap { folder in
            let paths = manager.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            return paths.sorted().map { path in
                let file = folder.appendingPathComponent(path)
                let attributes = try? manager.attributesOfItem(atPath: file.path)
                let date = (attributes?[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
                return "\(path) \(date) \((try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } ?? "")"
            }
        } + [((try? manager.contentsOfDirectory(atPath: url.path)) ?? []).sorted().joined(separator: " ")]
    }
}

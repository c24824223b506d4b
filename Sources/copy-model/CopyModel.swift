import Foundation

/// Writes the folder or file that a program finds in place of a compiled model:
/// `copy-model Cinema.xcdatamodeld Cinema.momd`, or `… Cinema.xcdatamodel Cinema.mom`. The plugin `CoreDataModels` runs
/// it.
@main
struct CopyModel {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { fail("usage: copy-model MODEL COPY") }
        let model = URL(fileURLWithPath: arguments[1])
        let copy = URL(fileURLWithPath: arguments[2])
        do {
            let manager = FileManager.default
            try manager.createDirectory(at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
            // An earlier model must be removed completely.
            if manager.fileExists(atPath: copy.path) { try manager.removeItem(at: copy) }
            if copy.pathExtension == "momd" {
                try copyVersions(of: model, to: copy)
            } else {
                try copyContents(of: model, to: copy)
            }
        } catch let problem as Problem {
            fail("\(model.path): error: \(problem.text)")
        } catch {
            fail("\(model.path): error: the model can't be copied to \(copy.path): \(error.localizedDescription)")
        }
    }

    private struct Problem: Error {
        let text: String
    }

    private static func copyVersions(of bundle: URL, to copy: URL) throws {
        let manager = FileManager.default
        let versions = try manager.contentsOfDirectory(atPath: bundle.path).filter { $0.hasSuffix(".xcdatamodel") }.sorted()
        guard !versions.isEmpty else { throw Problem(text: "the folder has no version (.xcdatamodel)") }
        let current = try currentVersion(of: bundle)
        if let current, !versions.contains(current) {
            throw Problem(
                text: "its current version “\(current)” is not in the folder, which has \(versions.joined(separator: ", "))")
        }
        try manager.createDirectory(at: copy, withIntermediateDirectories: true)
        for version in versions {
            let name = (version as NSString).deletingPathExtension
            do {
                try copyContents(of: bundle.appendingPathComponent(version), to: copy.appendingPathComponent("\(name).mom"))
            } catch let problem as Problem where version != current && versions.count > 1 {
                // An old version that can't be read must not prevent the use of the current one.
                say("\(bundle.appendingPathComponent(version).path): warning: \(problem.text); it is left out")
            }
        }
        // Without a mark, the reader chooses a version as it does among the sources.
        let name = current.map { ($0 as NSString).deletingPathExtension }
        let info = name.map { ["NSManagedObjectModel_CurrentVersionName": $0] } ?? [:]
        try PropertyListEncoder().encode(info).write(to: copy.appendingPathComponent("VersionInfo.plist"))
    }

    private static func currentVersion(of bundle: URL) throws -> String? {
        struct Mark: Decodable {
            let _XCCurrentVersionName: String?
        }
        let file = bundle.appendingPathComponent(".xccurrentversion")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            return try PropertyListDecoder().decode(Mark.self, from: Data(contentsOf: file))._XCCurrentVersionName
        } catch {
            throw Problem(text: ".xccurrentversion is not a property list that names a version")
        }
    }

    private static func copyContents(of version: URL, to copy: URL) throws {
        let contents = version.appendingPathComponent("contents")
        guard FileManager.default.fileExists(atPath: contents.path) else {
            let isOld = FileManager.default.fileExists(atPath: version.appendingPathComponent("elements").path)
            throw Problem(
                text: isOld
                    ? "it is in the binary format of Xcode 3 (“elements”), which is not supported; save it with a newer Xcode"
                    : "the folder has no file “contents”")
        }
        // The data are copied, and not the file: a copied file would keep its date, and a link would stay a link.
        try Data(contentsOf: contents).write(to: copy)
    }

    private static func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

    private static func fail(_ text: String) -> Never {
        say(text)
        exit(1)
    }
}

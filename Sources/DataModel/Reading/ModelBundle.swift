package import Foundation
import FoundationGaps
import Predicates

/// Finds the file to read for the path of a model: a `.xcdatamodeld` or `.xcdatamodel` folder, a `.momd` folder, or the file
/// itself.
package enum ModelBundle {
    /// The file behind a path: XML text, a compiled model, or the archive of old model editors.
    ///
    /// - Throws: An `NSError` of `NSCocoaErrorDomain` if there is none, or if it is of a kind that can't be read.
    package static func contentsFile(for url: URL) throws -> URL {
        guard let isFolder = isFolder(url) else {
            throw error("there is no such file or folder", at: url, code: CocoaError.Code.fileReadNoSuchFile)
        }
        let kind = url.pathExtension.lowercased()
        guard isFolder else {
            if kind == "omo" {
                throw error(
                    "it is a copy of a compiled model for Apple's framework alone (.omo); give the .mom beside it", at: url)
            }
            return url
        }
        if kind == "xcdatamodeld" || kind == "momd" { return try contentsFile(for: currentVersion(of: url)) }
        let contents = url.appendingPathComponent("contents")
        if self.isFolder(contents) == false { return contents }
        let elements = url.appendingPathComponent("elements")
        if self.isFolder(elements) == false { return elements }
        throw error("the folder has no file “contents”", at: url, code: CocoaError.Code.fileReadNoSuchFile)
    }

    /// All versions in a `.xcdatamodeld` or `.momd` folder, sorted by name.
    package static func versions(of bundle: URL) throws -> [URL] {
        let kind = kindOfVersions(in: bundle)
        guard isFolder(bundle) == true else {
            throw error("there is no such folder", at: bundle, code: CocoaError.Code.fileReadNoSuchFile)
        }
        return try FileManager.default.contentsOfDirectory(atPath: bundle.path)
            .filter { $0.hasSuffix(kind) }.sorted().map { bundle.appendingPathComponent($0) }
    }

    /// The version that a `.xcdatamodeld` or `.momd` folder calls current.
    ///
    /// Without such a mark it is the only version, or the one named like the bundle.
    package static func currentVersion(of bundle: URL) throws -> URL {
        let versions = try versions(of: bundle)
        let names = versions.map(\.lastPathComponent)
        if let wanted = try currentVersionName(of: bundle) {
            if let index = names.firstIndex(of: wanted) { return versions[index] }
            throw error(
                "its current version “\(wanted)” is not in the folder, which has \(list(names))", at: bundle,
                code: CocoaError.Code.fileReadNoSuchFile)
        }
        if versions.count == 1 { return versions[0] }
        let kind = kindOfVersions(in: bundle)
        let sameName = bundle.deletingPathExtension().lastPathComponent + kind
        if let index = names.firstIndex(of: sameName) { return versions[index] }
        throw versions.isEmpty
            ? error("the folder has no version (\(kind))", at: bundle, code: CocoaError.Code.fileReadNoSuchFile)
            : error("no version of \(list(names)) is marked as the current one", at: bundle)
    }

    /// The modules among whose resources a file may be, the likeliest first: SwiftPM names the folder of a target's resources
    /// `Package_Target.resources`. Either name may have underscores.
    static func modules(withResource file: URL) -> [String] {
        let folder = file.pathComponents.last { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }
        let parts = (folder ?? "").split(separator: ".").first?.split(separator: "_", omittingEmptySubsequences: false) ?? []
        guard parts.count <= 16 else { return [] }
        return parts.indices.dropFirst().map { start in
            String(parts[start...].joined(separator: "_").map { $0.isLetter || $0.isNumber ? $0 : "_" })
        }
    }

    private static func isMomd(_ bundle: URL) -> Bool { bundle.pathExtension.lowercased() == "momd" }

    private static func kindOfVersions(in bundle: URL) -> String { isMomd(bundle) ? ".mom" : ".xcdatamodel" }

    private static func currentVersionName(of bundle: URL) throws -> String? {
        if isMomd(bundle) { return try ModelVersionInfo(in: bundle)?.currentVersion.map { "\($0).mom" } }
        let file = bundle.appendingPathComponent(".xccurrentversion")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        guard let content = PropertyListBytes.value(try Data(contentsOf: file)) as? [String: Any] else {
            throw error("it is not a property list", at: file, code: CocoaError.Code.fileReadCorruptFile)
        }
        return content["_XCCurrentVersionName"] as? String
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "no version" : names.map { "“\($0)”" }.joined(separator: ", ")
    }

    private static func error(_ text: String, at url: URL, code: CocoaError.Code = .coreData) -> NSError {
        ModelProblem.error([ModelProblem(text)], in: url, code: code.rawValue)
    }

    /// Nil if nothing is there.
    private static func isFolder(_ url: URL) -> Bool? {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) ? isFolder.boolValue : nil
    }
}

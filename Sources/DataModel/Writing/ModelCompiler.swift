public import Foundation

/// Makes compiled models of the sources of models, as Apple's compiler does.
package struct ModelCompiler {
    /// What was left out or made otherwise, each with its file.
    package private(set) var warnings: [String] = []

    private let manager = FileManager.default

    /// Compiles a model.
    ///
    /// - Parameters:
    ///   - source: A `.xcdatamodeld` folder, which makes a `.momd` folder; a `.xcdatamodel` folder or the file in it, which makes
    ///     a `.mom` file.
    ///   - destination: Where to put it. What is there is replaced in the end, if nothing went wrong.
    /// - Returns: Warnings.
    package static func compile(_ source: URL, to destination: URL) throws -> [String] {
        var compiler = ModelCompiler()
        try compiler.run(source, destination)
        return compiler.warnings
    }

    private mutating func run(_ source: URL, _ destination: URL) throws {
        let folder = destination.deletingLastPathComponent()
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        // Made beside the place, so that a failure leaves what is there.
        let unfinished = folder.appendingPathComponent(".\(destination.lastPathComponent).\(UUID().uuidString)")
        do {
            if source.pathExtension.lowercased() == "xcdatamodeld" {
                try manager.createDirectory(at: unfinished, withIntermediateDirectories: true)
                try compileVersions(of: source, into: unfinished)
            } else {
                try data(of: source, NSManagedObjectModel(readingModelAt: source)).write(to: unfinished)
            }
            if manager.fileExists(atPath: destination.path) { try manager.removeItem(at: destination) }
            try manager.moveItem(at: unfinished, to: destination)
        } catch {
            try? manager.removeItem(at: unfinished)
            throw error
        }
    }

    /// The compiled model; or the source as it is, which is read here as well, if it has something that compiled models are not
    /// known to hold.
    private mutating func data(of version: URL, _ model: NSManagedObjectModel) throws -> Data {
        do { return try model.compiledData() } catch {
            let file = try ModelBundle.contentsFile(for: version)
            warnings.append(
                "\(version.path): warning: \(error.localizedDescription). Its source is taken as it is, which only OpenCoreData can read"
            )
            return try Data(contentsOf: file)
        }
    }

    private mutating func compileVersions(of bundle: URL, into folder: URL) throws {
        let versions = try ModelBundle.versions(of: bundle)
        let current = try ModelBundle.currentVersion(of: bundle)
        var hashes: [String: [String: Data]] = [:]
        for version in versions {
            let name = version.deletingPathExtension().lastPathComponent
            let model: NSManagedObjectModel
            do {
                model = try NSManagedObjectModel(readingModelAt: version)
                try data(of: version, model).write(to: folder.appendingPathComponent("\(name).mom"))
            } catch  where version != current {
                // An old version that can't be read must not prevent the use of the current one.
                warnings.append("\(version.path): warning: \(error.localizedDescription); it is left out")
                continue
            }
            if let known = model.allKnownVersionHashes { hashes[name] = known }
        }
        let info = ModelVersionInfo(
            currentVersion: current.deletingPathExtension().lastPathComponent, hashes: hashes,
            checksums: hashes.mapValues(VersionHashes.checksum))
        try info.data().write(to: folder.appendingPathComponent(ModelVersionInfo.fileName))
    }
}

extension NSManagedObjectModel {
    /// Compiles the source of a model, so that ``init(contentsOf:)``, here and in Apple's framework, can read it. Not in Apple's
    /// framework.
    ///
    /// A `.momd` folder gets the version hashes of Apple's compiler where they are known, and none otherwise.
    ///
    /// - Parameters:
    ///   - source: A `.xcdatamodeld` folder, which makes a `.momd` folder; or a `.xcdatamodel` folder, which makes a `.mom` file.
    ///   - destination: Where to put it. What is there is replaced if nothing goes wrong.
    /// - Returns: Warnings, each with its file in front: of versions other than the current one that can't be read, and are left
    ///   out; and of models that have something that compiled models are not known to hold, see ``compiledData()``. Their source
    ///   takes the compiled model's place.
    /// - Throws: As ``init(readingModelAt:)``, and errors of writing files.
    @discardableResult
    public class func compileModel(at source: URL, to destination: URL) throws -> [String] {
        try ModelCompiler.compile(source, to: destination)
    }

    /// The checksum of each version in a `.momd` folder or a `.xcdatamodeld` folder: what ``versionChecksum`` is for it.
    ///
    /// - Parameter modelURL: The folder.
    /// - Throws: As ``init(readingModelAt:)``.
    public class func checksumsForVersionedModel(at modelURL: URL) throws -> [String: String] {
        var checksums: [String: String] = [:]
        for version in try ModelBundle.versions(of: modelURL) {
            let name = version.deletingPathExtension().lastPathComponent
            checksums[name] = try NSManagedObjectModel(readingModelAt: version).versionChecksum
        }
        return checksums
    }
}

public import Foundation
import FoundationGaps

extension NSManagedObjectModel {
    /// Reads a model from a compiled model (`.mom`, or the current version of a `.momd` folder) or from its source: a
    /// `.xcdatamodeld` folder (its current version), a `.xcdatamodel` folder, or the `contents` or `elements` file in it.
    ///
    /// Apple's framework reads compiled models only. The version hashes of Apple's compiler are taken over if they are known:
    /// from the `VersionInfo.plist` or the `OpenCoreDataHashes.json` in the folder that has the version.
    ///
    /// If the model can't be read, the reason is printed to the standard error output; `init(readingModelAt:)` throws it
    /// instead.
    ///
    /// - Parameter url: The place of the model.
    public convenience init?(contentsOf url: URL) {
        do {
            try self.init(readingModelAt: url)
        } catch {
            Self.report(error.localizedDescription)
            return nil
        }
    }

    /// Reads a model like `init(contentsOf:)`, and says what is wrong if it can't. Not in Apple's framework.
    ///
    /// - Parameter url: The place of the model.
    /// - Throws: An `NSError` of `NSCocoaErrorDomain`: 260 for a missing file, 259 for a file that is not a model, 134060
    ///   (`NSCoreDataError`) for a model that contradicts itself. The message names file, line, entity and property; several
    ///   problems are all in one error, and under `NSDetailedErrorsKey`.
    public convenience init(readingModelAt url: URL) throws {
        self.init()
        let file = try ModelBundle.contentsFile(for: url)
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            let reason = ModelProblem(error.localizedDescription)
            throw ModelProblem.error([reason], in: file, code: CocoaError.Code.fileReadUnknown.rawValue)
        }
        try read(data, from: file)
        adoptVersionHashes(of: file)
        let modules = ModelBundle.modules(withResource: file)
        if !modules.isEmpty { for entity in entities { entity.resourceModules = modules } }
    }

    /// Fills an empty model from the bytes of a model file of any kind.
    ///
    /// - Parameters:
    ///   - contents: The bytes.
    ///   - url: Where they come from, for messages.
    package func read(_ contents: Data, from url: URL) throws {
        guard !Self.isPropertyList(contents) else { return try readArchive(contents, from: url) }
        switch ModelXMLParser.parse(contents) {
        case .failure(let problem):
            throw ModelProblem.error([problem], in: url, code: CocoaError.Code.fileReadCorruptFile.rawValue)
        case .success(let root):
            let kind = root["type"]
            guard root.name == "model", kind == "com.apple.IDECoreDataModeler.DataModel" else {
                let found = "<\(root.name)\(kind.map { " type=\"\($0)\"" } ?? "")>"
                let problem = ModelProblem("it is not a data model: its root element is \(found)", line: root.line)
                throw ModelProblem.error([problem], in: url, code: CocoaError.Code.fileReadCorruptFile.rawValue)
            }
            let reader = ModelXMLReader(root)
            let problems = reader.fill(self)
            guard problems.isEmpty else { throw ModelProblem.error(problems, in: url, code: NSCoreDataError) }
        }
    }

    /// Apple's compiler and old model editors write property lists.
    private static func isPropertyList(_ contents: Data) -> Bool {
        let start = String(decoding: contents.prefix(1024), as: UTF8.self)
        return start.hasPrefix("bplist") || start.contains("<!DOCTYPE plist") || start.contains("<plist")
    }

    private func readArchive(_ contents: Data, from url: URL) throws {
        let problems: [ModelProblem]
        do {
            let graph = try ArchiveGraph(contents)
            guard case .object(let root) = try graph.root() else { throw KeyedArchive.Failure(reason: "the archive is empty") }
            problems =
                root.className == ElementsReader.rootClass
                ? try ElementsReader.fill(self, from: graph, root: root)
                : try ModelArchiveReader.fill(self, from: graph, root: root)
        } catch let failure as KeyedArchive.Failure {
            let problem = ModelProblem(failure.reason)
            throw ModelProblem.error([problem], in: url, code: CocoaError.Code.fileReadCorruptFile.rawValue)
        }
        guard problems.isEmpty else { throw ModelProblem.error(problems, in: url, code: NSCoreDataError) }
    }

    /// Fills an empty model from what a store keeps of the model that it was made with: the packed bytes of a compiled model.
    ///
    /// - Parameters:
    ///   - cache: The content of the store's table of models.
    ///   - hashes: The version hashes in the store's metadata.
    ///   - url: The store, for messages.
    /// - Throws: An `NSError` of `NSCocoaErrorDomain`, as `init(readingModelAt:)`.
    package func read(cache: Data, hashes: [String: Data], from url: URL) throws {
        let contents: Data
        do {
            contents = try Inflater.inflate(cache, limit: Self.greatestCacheSize)
        } catch {
            let reason =
                error == .tooLarge
                ? "its content is larger than \(Self.greatestCacheSize >> 20) MB" : "it is not a raw DEFLATE stream"
            throw ModelProblem.error(
                [ModelProblem("the model that the store keeps can't be unpacked: \(reason)")], in: url,
                code: CocoaError.Code.fileReadCorruptFile.rawValue)
        }
        try readArchive(contents, from: url)
        adopt(versionHashes: hashes)
    }

    private static let greatestCacheSize = 64 << 20
}

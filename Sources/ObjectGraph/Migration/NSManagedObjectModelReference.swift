public import DataModel
public import Foundation

/// A model that is read when it is needed, known by its checksum.
///
/// May be used on every thread.
// @unchecked Sendable: the source is constant, and what was read is behind a lock.
open class NSManagedObjectModelReference: NSObject, @unchecked Sendable {
    private enum Source {
        case model(NSManagedObjectModel)
        case file(URL)
        case hashes([String: Data], Bundle?)
        case name(String, Bundle?)
    }

    /// The checksum that the model must have.
    public final let versionChecksum: String
    private let source: Source
    private let lock = NSLock()
    private var found: NSManagedObjectModel?

    /// A model at hand.
    public init(model: NSManagedObjectModel, versionChecksum: String) {
        (source, self.versionChecksum) = (.model(model), versionChecksum)
    }

    /// A model file of any kind, or a `.momd` or `.xcdatamodeld` folder, in which the version with the checksum is taken.
    public init(fileURL: URL, versionChecksum: String) {
        (source, self.versionChecksum) = (.file(fileURL), versionChecksum)
    }

    /// The version with these version hashes among the models in a bundle.
    ///
    /// - Parameters:
    ///   - versionHashes: Version hashes by the names of the entities.
    ///   - bundle: Nil for the main bundle and the resources of the program's Swift packages.
    ///   - versionChecksum: The checksum.
    public init(entityVersionHashes versionHashes: [AnyHashable: Any], in bundle: Bundle?, versionChecksum: String) {
        let hashes = versionHashes as? [String: Data] ?? [:]
        (source, self.versionChecksum) = (.hashes(hashes, bundle), versionChecksum)
    }

    /// The version with a name among the models in a bundle.
    ///
    /// - Parameters:
    ///   - modelName: The name of the version, such as "Cinema 2".
    ///   - bundle: Nil for the main bundle and the resources of the program's Swift packages.
    ///   - versionChecksum: The checksum.
    public init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
        (source, self.versionChecksum) = (.name(modelName, bundle), versionChecksum)
    }

    /// The model. If it is not found, or if its checksum is another one, the program stops with a message, where Apple's
    /// framework raises an exception; ``resolve()`` throws it.
    public final var resolvedModel: NSManagedObjectModel {
        do { return try resolve() } catch { fatalError(error.localizedDescription) }
    }

    /// The model. Not in Apple's framework.
    ///
    /// - Throws: 134504 if it is not found, or if its checksum is another one.
    public final func resolve() throws -> NSManagedObjectModel {
        try lock.withLock {
            if let found { return found }
            let candidates = candidates
            guard let model = candidates.first(where: { $0.versionChecksum == versionChecksum }) else {
                let others = candidates.map(\.versionChecksum)
                let reason =
                    others.isEmpty ? "was not found" : "was not found: the checksums there are \(others.joined(separator: ", "))"
                throw NSError.coreData(
                    NSManagedObjectModelReferenceNotFoundError,
                    "The model \(place) with the checksum \(versionChecksum) \(reason)")
            }
            found = model
            return model
        }
    }

    private var place: String {
        switch source {
        case .model: "given to the reference"
        case .file(let url): "at \(url.path)"
        case .hashes(let hashes, _): "with version hashes of \(hashes.keys.sorted().joined(separator: ", "))"
        case .name(let name, _): "“\(name)”"
        }
    }

    private var candidates: [NSManagedObjectModel] {
        switch source {
        case .model(let model): [model]
        case .file(let url): Self.read([url])
        case .hashes(let hashes, let bundle):
            Self.read(Self.files(bundle)).filter { $0.matches(versionHashes: hashes, entities: $0.entities) }
        case .name(let name, let bundle):
            Self.read(
                Self.files(bundle).flatMap(ModelSearch.versions).filter { $0.deletingPathExtension().lastPathComponent == name })
        }
    }

    private static func files(_ bundle: Bundle?) -> [URL] {
        ModelSearch.models(in: ModelSearch.folders(of: bundle.map { [$0] }))
    }

    private static func read(_ files: [URL]) -> [NSManagedObjectModel] {
        files.flatMap(ModelSearch.versions).compactMap { NSManagedObjectModel(contentsOf: $0) }
    }
}

public import Foundation
import FoundationGaps

/// How a store of an older model becomes one of a newer model: what Xcode's mapping models say.
///
/// Use it on one thread at a time.
open class NSMappingModel: NSObject {
    /// The mappings in the order in which they are carried out.
    public final var entityMappings: [NSEntityMapping]! = []

    /// What an inferred mapping model said when it was made; nil for others.
    package final var inferredText: String?

    /// Whether it was inferred and not changed since, so that a store may be migrated in place all the same.
    package final var isInferred: Bool { inferredText == text }

    /// Everything that it says.
    package final var text: String {
        func text(_ properties: [NSPropertyMapping]?) -> String {
            (properties ?? []).map { "\($0.name ?? ""): \($0.valueExpression.map { "\($0)" } ?? "-")" }.joined(separator: "; ")
        }
        return (entityMappings ?? []).map { mapping in
            [
                mapping.name ?? "", "\(mapping.mappingType)", mapping.sourceEntityName ?? "", mapping.destinationEntityName ?? "",
                mapping.entityMigrationPolicyClassName ?? "", mapping.sourceExpression.map { "\($0)" } ?? "",
                text(mapping.attributeMappings), text(mapping.relationshipMappings),
            ].joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// The mappings by name.
    public final var entityMappingsByName: [String: NSEntityMapping] {
        Dictionary(entityMappings.map { ($0.name ?? "", $0) }) { first, _ in first }
    }

    /// Reads a compiled mapping model (`.cdm`), or the source of one (a `.xcmappingmodel` folder).
    ///
    /// If it can't be read, the reason is printed to the standard error output; `init(readingMappingModelAt:)` throws it
    /// instead.
    ///
    /// - Parameter url: The place of the mapping model; nil gives nil.
    public convenience init?(contentsOf url: URL?) {
        guard let url else { return nil }
        do {
            try self.init(readingMappingModelAt: url)
        } catch {
            NSManagedObjectModel.report(error.localizedDescription)
            return nil
        }
    }

    /// Reads a mapping model like `init(contentsOf:)`, and says what is wrong if it can't. Not in Apple's framework.
    ///
    /// A source holds both models. The version hashes of its entities are this package's own.
    ///
    /// - Parameter url: The place of the mapping model.
    /// - Throws: An `NSError` of `NSCocoaErrorDomain`: 260 for a missing file, 259 for a file that is not a mapping model,
    ///   134060 for one that contradicts itself.
    public convenience init(readingMappingModelAt url: URL) throws {
        self.init()
        let isSource = url.pathExtension.lowercased() == "xcmappingmodel"
        let file = isSource ? url.appendingPathComponent("xcmapping.xml") : url
        let corrupt = CocoaError.Code.fileReadCorruptFile.rawValue
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw Self.error("there is no such file", in: file, CocoaError.Code.fileReadNoSuchFile.rawValue)
        }
        let data = try Data(contentsOf: file)
        do {
            entityMappings =
                data.starts(with: Data("bplist".utf8))
                ? try MappingArchiveReader.mappings(in: data) : try MappingSourceReader.mappings(in: data)
        } catch let failure as KeyedArchive.Failure {
            throw Self.error(failure.reason, in: file, corrupt)
        } catch let problem as ModelProblem {
            throw Self.error(problem.message, in: file, NSCoreDataError)
        }
    }

    private static func error(_ reason: String, in url: URL, _ code: Int) -> NSError {
        .coreData(
            code, "The mapping model “\(url.path)” can't be read: \(reason)", [NSFilePathErrorKey: url.path, NSURLErrorKey: url])
    }

    /// The mapping model among the resources of some bundles that leads from one model to another, by the version hashes of
    /// their entities.
    ///
    /// - Parameters:
    ///   - bundles: Where to look; nil for the main bundle and the resources of the program's Swift packages.
    ///   - sourceModel: The older model.
    ///   - destinationModel: The newer model.
    /// - Returns: Nil if there is none. What is wrong with one that can't be read is printed to the standard error output.
    public convenience init?(
        from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?, destinationModel: NSManagedObjectModel?
    ) {
        self.init(in: ModelSearch.folders(of: bundles), forSourceModel: sourceModel, destinationModel: destinationModel)
    }

    /// The same for the mapping models in some folders.
    package convenience init?(
        in folders: [URL], forSourceModel sourceModel: NSManagedObjectModel?, destinationModel: NSManagedObjectModel?
    ) {
        guard let sourceModel, let destinationModel else { return nil }
        let files = ModelSearch.files(in: folders, kinds: ["cdm", "xcmappingmodel"])
        let found = files.lazy.compactMap { NSMappingModel(contentsOf: $0) }.first {
            $0.leads(from: sourceModel, to: destinationModel)
        }
        guard let found else { return nil }
        self.init()
        entityMappings = found.entityMappings
    }

    private final func leads(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) -> Bool {
        func fits(_ name: String?, _ hash: Data?, _ model: NSManagedObjectModel) -> Bool {
            guard let name, let hash else { return name == nil && hash == nil }
            guard let entity = model.entitiesByName[name] else { return false }
            return entity.versionHash == hash || entity.structuralHash == hash
        }
        return !entityMappings.isEmpty
            && entityMappings.allSatisfy { mapping in
                fits(mapping.sourceEntityName, mapping.sourceEntityVersionHash, source)
                    && fits(mapping.destinationEntityName, mapping.destinationEntityVersionHash, destination)
            }
    }
}

import OpenCoreData
import TestSupport

/// A store that Apple's framework wrote, with one of the models at hand: the XML beside it, or the one that was cached in it.
struct StoreCase: CustomStringConvertible, Sendable {
    enum Source: String, Sendable {
        case xml = "XML"
        case cached = "cached model"
    }

    let fixture: StoreFixture
    let source: Source

    var name: String { fixture.name }
    var description: String { "\(name) (\(source.rawValue))" }

    /// Every store with every model that can be read.
    static let all: [StoreCase] = StoreFixture.all.flatMap { fixture in
        [fixture.sourceModel.map { _ in Source.xml }, fixture.cachedModel.map { _ in Source.cached }]
            .compactMap { $0 }.map { StoreCase(fixture: fixture, source: $0) }
    }

    /// Every store once, with its XML if there is one.
    static let each: [StoreCase] = StoreFixture.all.compactMap { fixture in all.first { $0.name == fixture.name } }

    static func named(_ name: String) throws -> StoreCase {
        guard let found = each.first(where: { $0.name == name }) else { throw CocoaError(.fileNoSuchFile) }
        return found
    }

    /// The model, with plain objects for every entity: the classes of the programs that wrote the stores aren't here, and other tests have classes
    /// of the same names.
    ///
    /// - Parameter rawTransformables: Whether transformable attributes give their bytes as they are in the file.
    func model(rawTransformables: Bool = false) throws -> NSManagedObjectModel {
        IdentityTransformer.register
        let model: NSManagedObjectModel
        switch source {
        case .xml:
            guard let url = fixture.sourceModel else { throw CocoaError(.fileNoSuchFile) }
            model = try NSManagedObjectModel(readingModelAt: url)
        case .cached:
            guard let url = fixture.cachedModel else { throw CocoaError(.fileNoSuchFile) }
            model = try ModelJSON.model(at: url)
        }
        for entity in model.entities {
            entity.managedObjectClassName = "NSManagedObject"
            for attribute in entity.attributesByName.values where attribute.type == .transformable && rawTransformables {
                attribute.valueTransformerName = IdentityTransformer.name
            }
        }
        return model
    }

    /// What the independent reader got out of the store.
    func golden() throws -> StoreDump { try StoreDump(Data(contentsOf: fixture.dump)) }

    /// The oracle's arguments for a copy of the store: it knows no model by itself where none is cached in the file.
    var oracleArguments: [String] {
        guard fixture.cachedModel == nil, let url = fixture.sourceModel else { return [] }
        return ["--model", url.path]
    }
}

/// Stands for the transformers of the programs that wrote the stores: bytes stay bytes.
// @unchecked Sendable: it has no state.
final class IdentityTransformer: ValueTransformer, @unchecked Sendable {
    static let name = "IdentityTransformer"

    static let register: Void = {
        for name in [name, "ColorTransformer", "CoverTransformer", "ContentTransformer"] {
            ValueTransformer.setValueTransformer(IdentityTransformer(), forName: NSValueTransformerName(name))
        }
    }()

    override class func allowsReverseTransformation() -> Bool { true }
    override func transformedValue(_ value: Any?) -> Any? { value as? Data }
    override func reverseTransformedValue(_ value: Any?) -> Any? { value as? Data }
}

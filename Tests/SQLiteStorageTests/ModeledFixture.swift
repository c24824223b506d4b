import DataModel
import Foundation
import TestSupport

/// A store that Apple's framework wrote, with a model that belongs to it.
struct ModeledFixture: CustomStringConvertible, Sendable {
    enum ModelSource: Sendable {
        case xml(URL)
        case cached(URL)
    }

    private let fixture: StoreFixture
    let source: ModelSource

    var name: String { fixture.name }
    var store: URL { fixture.store }
    var folder: URL { fixture.folder }

    var description: String {
        switch source {
        case .xml: "\(name) (xcdatamodel)"
        case .cached: "\(name) (model.json)"
        }
    }

    /// The argument for the oracle, where the store has no cached model.
    var modelArguments: [String] {
        guard case .xml(let url) = source, fixture.cachedModel == nil else { return [] }
        return ["--model", url.path]
    }

    func model() throws -> NSManagedObjectModel {
        switch source {
        case .xml(let url): try NSManagedObjectModel(readingModelAt: url)
        case .cached(let url): try ModelJSON.model(at: url)
        }
    }

    func golden() throws -> [String: Any] { try fixture.readDump() }

    /// Every store with each model that is at hand.
    static let all: [ModeledFixture] = StoreFixture.all.flatMap { fixture in
        // magicalrecord-recipes: its model is at hand only in Xcode 3's binary format, which nothing here reads yet.
        [fixture.sourceModel.map(ModelSource.xml), fixture.cachedModel.map(ModelSource.cached)].compactMap(\.self)
            .map { ModeledFixture(fixture: fixture, source: $0) }
    }

    static func named(_ name: String) throws -> ModeledFixture {
        guard let fixture = all.first(where: { $0.name == name }) else { throw CocoaError(.fileNoSuchFile) }
        return fixture
    }
}

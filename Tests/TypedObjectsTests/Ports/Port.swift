import Foundation
import OpenCoreData
import TestSupport

/// Classes written after a public model, with the model and the store they belong to.
struct Port: CustomStringConvertible, Sendable {
    let name: String
    let entities: @Sendable () -> [any TypedObject.Type]
    /// Below the folder of fixtures.
    let model: String
    /// The name of the store's fixture.
    var store: String?

    var description: String { name }

    static let all = [
        Port(
            name: "BookmarksPort", entities: { BookmarksPort.entities },
            model: "stores/ddg-bookmarks-v5/BookmarksModel 5.xcdatamodel", store: "ddg-bookmarks-v5"),
        Port(
            name: "CarsPort", entities: { CarsPort.entities }, model: "stores/cdp-samplemodel-v1/SampleModel.xcdatamodel",
            store: "cdp-samplemodel-v1"),
        Port(
            name: "GaragePort", entities: { GaragePort.entities }, model: "stores/cdp-samplemodel-v2/SampleModel2.xcdatamodel",
            store: "cdp-samplemodel-v2"),
        Port(
            name: "GlucosePort", entities: { GlucosePort.entities }, model: "stores/loopkit-v1/Model.xcdatamodel",
            store: "loopkit-v1"),
        Port(
            name: "CompanyPort", entities: { CompanyPort.entities }, model: "stores/bnr-testmodel/TestModel.xcdatamodel",
            store: "bnr-testmodel"),
        Port(
            name: "LibraryPort", entities: { LibraryPort.entities }, model: "stores/bookmigration-model1/Model1.xcdatamodel",
            store: "bookmigration-model1"),
        Port(
            name: "UserDataPort", entities: { UserDataPort.entities }, model: "stores/srg-userdata-v5/SRGUserData_v5.xcdatamodel",
            store: "srg-userdata-v5"),
        Port(
            name: "SurfPort", entities: { SurfPort.entities }, model: "stores/kodeco-surfjournal/SurfJournalModel.xcdatamodel",
            store: "kodeco-surfjournal"),
        Port(
            name: "EverythingPort", entities: { EverythingPort.entities },
            model: "models/core-data-editor/iOS_Example.xcdatamodel"),
        Port(
            name: "EvolutionPort", entities: { EvolutionPort.entities },
            model:
                "models/coredata-evolution/CoreDataEvolutionIntegrationModel.xcdatamodeld/CoreDataEvolutionIntegrationModel.xcdatamodel"
        ),
        Port(
            name: "SecretsPort", entities: { SecretsPort.entities }, model: "models/swiftgen/Model.xcdatamodeld/Model.xcdatamodel"
        ),
    ]

    static var withStore: [Port] { all.filter { $0.store != nil } }

    /// The model as the file has it.
    func readModel() throws -> NSManagedObjectModel { try NSManagedObjectModel(readingModelAt: modelURL) }

    var modelURL: URL { Fixtures.models.deletingLastPathComponent().appendingPathComponent(model) }

    /// A container over a copy of the store, with the model of the file and the typed classes.
    func openStore(in folder: TemporaryFolder) throws -> TestStore {
        let fixture = StoreFixture.all.first { $0.name == store }
        guard let source = fixture?.store else { throw CocoaError(.fileNoSuchFile) }
        return try open(folder.copyStore(source))
    }

    func open(_ url: URL) throws -> TestStore {
        try TestStore(NSPersistentContainer(name: name, managedObjectModel: readModel(), entities: entities()), at: url)
    }
}

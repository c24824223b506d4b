import BenchmarkKit
import Foundation
import OpenCoreData

/// Large models, and results that are larger than what a program wants to have in memory.
extension LibraryContender {
    private static let entities = 2000

    /// Each entity has two attributes, and a relationship to the next one.
    private static func largeModel() -> NSManagedObjectModel {
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        let entities = (0..<Self.entities).map { number in
            let entity = NSEntityDescription()
            entity.name = "Entity\(number)"
            return entity
        }
        var properties = entities.map { _ in
            [attribute("name", .stringAttributeType), attribute("number", .integer64AttributeType)] as [NSPropertyDescription]
        }
        for (index, entity) in entities.enumerated() {
            let next = (index + 1) % entities.count
            let (forth, back) = (NSRelationshipDescription(), NSRelationshipDescription())
            (forth.name, back.name) = ("next", "previous")
            (forth.destinationEntity, back.destinationEntity) = (entities[next], entity)
            (forth.inverseRelationship, back.inverseRelationship) = (back, forth)
            (forth.maxCount, back.maxCount) = (1, 0)
            (forth.isOptional, back.isOptional) = (true, true)
            properties[index].append(forth)
            properties[next].append(back)
        }
        for (entity, properties) in zip(entities, properties) { entity.properties = properties }
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    private static func open(_ model: NSManagedObjectModel, _ url: URL) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        try coordinator.remove(store)
    }

    /// The store of a model with very many entities is opened.
    func openManyEntities(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let url = stores.shelves.deletingLastPathComponent().appendingPathComponent("entities.sqlite")
        try Self.open(Self.largeModel(), url)
        let model = Self.largeModel()
        try meter.measure { try Self.open(model, url) }
        var checksum = Checksum()
        checksum.add(model.entities.count)
        return Outcome(units: 1, checksum: checksum)
    }

    /// All movies are read, in batches. What is left in memory afterwards counts.
    func readInBatches(_ stores: PreparedStores) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let request = NSFetchRequest<Movie>(entityName: "Movie")
        request.fetchBatchSize = 500
        // Once for the page cache, whose memory does not count.
        for movie in try container.viewContext.fetchBatched(request) { _ = movie.duration }
        let before = Meter.allocatedBytes
        let movies = try container.viewContext.fetchBatched(request)
        var checksum = Checksum()
        for movie in movies { movie.add(to: &checksum) }
        let bytes = Meter.allocatedBytes - before
        return Outcome(units: movies.count, checksum: checksum, bytes: bytes)
    }
}

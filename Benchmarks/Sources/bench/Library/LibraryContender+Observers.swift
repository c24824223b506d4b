import BenchmarkKit
import Foundation
import OpenCoreData

extension LibraryContender {
    /// The processing of as many changes as there are movies, of objects of ten classes in turn, with observers of these classes in turn.
    func processChanges(toldTo observerCount: Int, _ meter: inout Meter) throws -> Outcome {
        let container = try NSPersistentContainer(
            name: "Sorts", entities: Sort.self, Sort1.self, Sort2.self, Sort3.self, Sort4.self, Sort5.self, Sort6.self,
            Sort7.self, Sort8.self,
            Sort9.self, Sort10.self)
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        try container.loadPersistentStores()
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        context.tracksObservation = false
        let objects = (0..<size.movies).map { Sorts.all[$0 % Sorts.all.count].makeInstance(in: context) }
        try context.save()
        var checksum = Checksum()
        func observe<Object: Sort>(_ type: Object.Type) -> ManagedObjectObservation {
            context.observe(type) { checksum.add($0.counts.updated) }
        }
        let observations = (0..<observerCount).map { observe(Sorts.all[$0 % Sorts.all.count]) }
        let passes = 5
        for pass in 1...passes {
            for object in objects { object.number = Int32(pass) }
            meter.measure { context.processPendingChanges() }
        }
        withExtendedLifetime(observations) {}
        return Outcome(units: objects.count * passes, checksum: checksum)
    }

    /// The accessors of a context that takes part in observation tracking, while nobody tracks.
    func readTracked(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        try withMovies(stores, &meter, isTracked: true) { $1.add($0.duration) }
    }
}

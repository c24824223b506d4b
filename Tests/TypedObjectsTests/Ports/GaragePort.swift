import Foundation
import OpenCoreData

/// Cars and their makers: renamed entities.
///
/// Ported from `stores/cdp-samplemodel-v2/SampleModel2.xcdatamodel`.
enum GaragePort {
    @Entity class Car: NSManagedObject {
        #Index<Car>([\.maker, \.numberPlate])
        var maker: String?
        var markedForDeletionAsOf: Date?
        var model: String?
        @Attribute(.unique) var numberPlate: String
        @Relationship(inverse: \Person.cars) var owner: Person?
    }

    @Entity class SportCar: Car {
    }

    @Entity(originalName: "ExpensiveSportCar") final class LuxuryCar: SportCar {
        var isLimitedEdition: Bool? = false
    }

    @Entity final class Person: NSManagedObject {
        #Unique<Person>([\.firstName, \.lastName])
        var firstName: String?
        var lastName: String?
        var updatedAt: Date
        var cars: Set<Car>
    }

    static let entities: [any TypedObject.Type] = [Car.self, SportCar.self, LuxuryCar.self, Person.self]
}

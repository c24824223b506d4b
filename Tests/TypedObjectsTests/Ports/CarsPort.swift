import Foundation
import OpenCoreData

/// Cars and their owners: inheritance, a transformable.
///
/// Ported from `stores/cdp-samplemodel-v1/SampleModel.xcdatamodel`.
enum CarsPort {
    @Entity class Car: NSManagedObject {
        @Attribute(.transformable(named: NSValueTransformerName("ColorTransformer"))) var color: NSObject?
        @Attribute(.transient) var currentDrivingSpeed: Int64? = 0
        var maker: String?
        var markedForDeletionAsOf: Date?
        var model: String?
        @Attribute(.unique) var numberPlate: String
        @Relationship(inverse: \Person.cars) var owner: Person?
    }

    @Entity class SportCar: Car {
    }

    @Entity final class ExpensiveSportCar: SportCar {
        var isLimitedEdition: Bool? = false
    }

    @Entity final class Person: NSManagedObject {
        #Unique<Person>([\.firstName, \.lastName])
        var firstName: String?
        @Attribute(.preservesValueInHistoryOnDeletion) var id: UUID
        @Attribute(.transient) var isDriving: Bool = false
        var lastName: String?
        var updatedAt: Date
        var cars: Set<Car>
    }

    static let entities: [any TypedObject.Type] = [Car.self, SportCar.self, ExpensiveSportCar.self, Person.self]
}

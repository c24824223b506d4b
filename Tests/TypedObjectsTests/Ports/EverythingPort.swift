import Foundation
import OpenCoreData

/// Every scalar type with limits, counts, defaults.
///
/// Ported from `models/core-data-editor/iOS_Example.xcdatamodel`.
enum EverythingPort {
    @Entity(isAbstract: true) class Abstract: NSManagedObject {
        var abstractString: String?
    }

    @Entity final class ChildAOfAbstract: Abstract {
        var childAString: String?
        @Relationship(deleteRule: .cascade, inverse: \UsedForAutoRepair.childA, minCount: 1) var autoRepairForA: UsedForAutoRepair
    }

    @Entity final class ChildBOfAbstract: Abstract {
        var childBString: String?
        @Relationship(deleteRule: .cascade, inverse: \UsedForAutoRepair.childB, minCount: 1) var autoRepairForB: UsedForAutoRepair
        @Relationship(deleteRule: .cascade, inverse: \Journal_OLD.childB, minCount: 3, maxCount: 10) var persons: [Journal_OLD]
    }

    @Entity final class Committee: NSManagedObject {
        var name: String?
        @Relationship(inverse: \Member.committees) var members: Set<Member>
    }

    @Entity final class Event: NSManagedObject {
        var timeStamp: Date?
    }

    @Entity final class House: NSManagedObject {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Journal_OLD.house) var orderedInhabitants: [Journal_OLD]
    }

    @Entity final class Member: NSManagedObject {
        var name: String?
        @Relationship(deleteRule: .cascade) var committees: Set<Committee>
    }

    @Entity("Person", originalName: "Journal") final class Journal_OLD: NSManagedObject {
        var firstName: String?
        var lastName: String?
        var childB: ChildBOfAbstract?
        @Relationship(deleteRule: .cascade, inverse: \PersonDetail.person) var detail: PersonDetail?
        var house: House?
        @Relationship(deleteRule: .cascade, inverse: \Pet.owner) var pets: Set<Pet>
    }

    @Entity final class PersonDetail: NSManagedObject {
        var binaryDataAttribute: Data?
        var birthday: Date?
        var booleanAttribute: Bool?
        var dateAttribute: Date?
        var decimalAttribute: Decimal? = 0.0
        var doubleAttribute: Double? = 0.0
        var floatAttribute: Float? = 0.0
        var integer16Attribute: Int16? = 0
        var integer32Attribute: Int32? = 0
        var integer64Attribute: Int64? = 0
        var stringAttribute: String?
        @Attribute(.transformable) var transformableAttribute: NSObject?
        var person: Journal_OLD?
    }

    @Entity final class Pet: NSManagedObject {
        var binaryDataAttribute: Data?
        var birthday: Date?
        var booleanAttribute: Bool?
        var dateAttribute: Date?
        var decimalAttribute: Decimal?
        var doubleAttribute: Double?
        var floatAttribute: Float?
        var integer16Attribute: Int16?
        var integer32Attribute: Int32?
        var integer64Attribute: Int64?
        @Attribute(.length(3...10)) var name: String
        var stringAttribute: String?
        @Attribute(.transformable) var transformableAttribute: NSObject?
        @Relationship(minCount: 1) var owner: Journal_OLD?
    }

    @Entity final class Strange: NSManagedObject {
        @Attribute(.transformable(named: NSValueTransformerName("PlaceholderTransformer"))) var customTransformableAttribute:
            NSObject?
        @Attribute(.transient) var transientAttribute: String?
        @Relationship(deleteRule: .cascade, inverse: \Strange.parent) var children: Set<Strange>
        @Relationship(minCount: 1) var parent: Strange?
    }

    @Entity final class UsedForAutoRepair: NSManagedObject {
        @Relationship(deleteRule: .cascade, minCount: 1) var childA: ChildAOfAbstract
        @Relationship(deleteRule: .cascade, minCount: 1) var childB: ChildBOfAbstract
    }

    @Entity final class ValidationTest: NSManagedObject {
        var binaryDataAttribute: Data
        var birthday: Date
        var booleanAttribute: Bool
        @Attribute(.range(Date(timeIntervalSinceReferenceDate: 407847600)...Date(timeIntervalSinceReferenceDate: 439470000)))
        var dateAttribute: Date
        @Attribute(.range(0...100)) var decimalAttribute: Decimal
        @Attribute(.range(0...1000)) var doubleAttribute: Double
        @Attribute(.length(3...1000), .pattern("\\A[^@]+@([^@\\.]+\\.)+[^@\\.]+\\z")) var email: String
        @Attribute(.range(0...10000)) var floatAttribute: Float
        @Attribute(.range(10...1000)) var integer16Attribute: Int16
        @Attribute(.range(10...10000)) var integer32Attribute: Int32
        @Attribute(.range(45...12345)) var integer64Attribute: Int64
        var stringAttribute: String?
        @Attribute(.transformable) var transformableAttribute: NSObject
    }

    static let entities: [any TypedObject.Type] = [
        Abstract.self, ChildAOfAbstract.self, ChildBOfAbstract.self, Committee.self, Event.self, House.self, Member.self,
        Journal_OLD.self, PersonDetail.self, Pet.self, Strange.self, UsedForAutoRepair.self, ValidationTest.self,
    ]
}

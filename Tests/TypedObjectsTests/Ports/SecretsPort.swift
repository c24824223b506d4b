import Foundation
import OpenCoreData

/// Inheritance, ordered relationships, transformables, a user-info zoo.
///
/// Ported from `models/swiftgen/Model.xcdatamodeld/Model.xcdatamodel`.
enum SecretsPort {
    @Entity class MainEntity: NSManagedObject {
        var binaryData: Data?
        var boolean: Bool?
        @Attribute(.transformable) var color: NSObject?
        var date: Date?
        var decimal: Decimal? = 0.0
        var double: Double? = 0.0
        var float: Float? = 0.0
        var int16: Int16? = 0
        var int32: Int32? = 0
        var int64: Int64? = 0
        var string: String?
        @Attribute(.transformable) var transformable: NSObject?
        var uri: URL?
        var uuid: UUID?
        @Relationship(inverse: \SecondaryEntity.manyToMany) var manyToMany: Set<SecondaryEntity>
        @Relationship(inverse: \SecondaryEntity.oneToMany) var oneToMany: Set<SecondaryEntity>
        @Relationship(inverse: \SecondaryEntity.oneToOne) var oneToOne: SecondaryEntity?
    }

    @Entity final class ChildEntity: MainEntity {
    }

    @Entity final class SecondaryEntity: NSManagedObject {
        var manyToMany: Set<MainEntity>
        var oneToMany: MainEntity?
        var oneToOne: MainEntity?
    }

    static let entities: [any TypedObject.Type] = [MainEntity.self, ChildEntity.self, SecondaryEntity.self]
}

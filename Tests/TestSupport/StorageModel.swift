package import DataModel
import Foundation
package import Storage

/// The model that these tests use: every slot kind, two entities of one family, each kind of to-many relationship.
package struct StorageModel {
    package let model: NSManagedObjectModel
    package let layout: ModelLayout
    package let thing: EntityLayout
    package let part: EntityLayout
    package let owner: EntityLayout

    package static let attributes: [(name: String, type: NSAttributeType)] = [
        ("aBlob", .binaryDataAttributeType), ("aBool", .booleanAttributeType), ("aDate", .dateAttributeType),
        ("aDecimal", .decimalAttributeType), ("aDouble", .doubleAttributeType), ("aString", .stringAttributeType),
        ("aTransformable", .transformableAttributeType), ("aURI", .URIAttributeType), ("aUUID", .UUIDAttributeType),
        ("anInt", .integer64AttributeType),
    ]

    package init(extraAttributes: Int = 0) {
        let thing = NSEntityDescription()
        thing.name = "Thing"
        let part = NSEntityDescription()
        part.name = "Part"
        let owner = NSEntityDescription()
        owner.name = "Owner"
        let own = StorageModel.attributes.map { StorageModel.attribute($0.name, $0.type) }
        let extra = (0..<extraAttributes).map {
            StorageModel.attribute("x\($0)", $0 % 2 == 0 ? .stringAttributeType : .integer32AttributeType)
        }
        let transient = StorageModel.attribute("aTransient", .undefinedAttributeType)
        transient.isTransient = true
        func relationship(_ name: String, _ destination: NSEntityDescription, toMany: Bool, ordered: Bool = false)
            -> NSRelationshipDescription
        {
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.destinationEntity = destination
            relationship.maxCount = toMany ? 0 : 1
            relationship.isOrdered = ordered
            return relationship
        }
        let ownerOfThing = relationship("owner", owner, toMany: false)
        let things = relationship("things", thing, toMany: true, ordered: true)
        (ownerOfThing.inverseRelationship, things.inverseRelationship) = (things, ownerOfThing)
        let friends = relationship("friends", owner, toMany: true)
        friends.inverseRelationship = friends
        let likes = relationship("likes", thing, toMany: true)
        let fans = relationship("fans", owner, toMany: true)
        (likes.inverseRelationship, fans.inverseRelationship) = (fans, likes)
        let hidden = relationship("hidden", thing, toMany: true)
        thing.properties = own + extra + [transient, ownerOfThing, fans]
        part.properties = [StorageModel.attribute("number", .integer16AttributeType)]
        owner.properties = [StorageModel.attribute("name", .stringAttributeType), things, friends, likes, hidden]
        thing.subentities = [part]
        model = NSManagedObjectModel()
        model.entities = [thing, part, owner]
        layout = ModelLayout(model)
        self.thing = layout.entities[layout.indexByName["Thing"] ?? 0]
        self.part = layout.entities[layout.indexByName["Part"] ?? 0]
        self.owner = layout.entities[layout.indexByName["Owner"] ?? 0]
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        return attribute
    }

    package func slot(_ name: String) -> Int { thing.slotByName[name] ?? -1 }
}

import Foundation
import OpenCoreData
import Testing

@Suite("API surface: models")
struct ModelSurfaceTests {
    private typealias Model = NSManagedObjectModel
    private typealias Entity = NSEntityDescription
    private typealias Property = NSPropertyDescription
    private typealias Attribute = NSAttributeDescription
    private typealias Relationship = NSRelationshipDescription

    @Test("API-120, API-122, API-123, API-126: models")
    func models() throws {
        let _: () -> Model = Model.init
        let _: (URL) -> Model? = Model.init(contentsOf:)
        let _: ([Bundle]?) -> Model? = Model.mergedModel(from:)
        let _: ([Model]?) -> Model? = Model.init(byMerging:)
        let _: ReferenceWritableKeyPath<Model, [NSEntityDescription]> = \.entities
        let _: KeyPath<Model, [String: NSEntityDescription]> = \.entitiesByName
        let _: KeyPath<Model, [String]> = \.configurations
        let _: (Model) -> (String?) -> [NSEntityDescription]? = Model.entities(forConfigurationName:)
        let _: (Model) -> ([NSEntityDescription], String) -> Void = Model.setEntities(_:forConfigurationName:)
        let _: ReferenceWritableKeyPath<Model, Set<AnyHashable>> = \.versionIdentifiers
        let _: KeyPath<Model, [String: Data]> = \.entityVersionHashesByName
        let _: KeyPath<Model, String> = \.versionChecksum
        let _: (Model) -> (String?, [String: Any]) -> Bool = Model.isConfiguration(withName:compatibleWithStoreMetadata:)
        let empty = Model()
        #expect(empty.entities.isEmpty && empty.configurations.isEmpty && empty.versionIdentifiers.isEmpty)
        let model = Surface.model()
        let copy = try #require(model.copy() as? Model)
        #expect(copy.versionChecksum == model.versionChecksum && !copy.versionChecksum.isEmpty)
        let metadata = [NSStoreModelVersionHashesKey: model.entityVersionHashesByName]
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(!empty.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    }

    @Test("API-128…134: entities")
    func entities() throws {
        let _: (String, NSManagedObjectContext) -> NSEntityDescription? = Entity.entity(forEntityName:in:)
        let _: (String, NSManagedObjectContext) -> NSManagedObject = Entity.insertNewObject(forEntityName:into:)
        let _: KeyPath<Entity, NSManagedObjectModel> = \.managedObjectModel
        let _: ReferenceWritableKeyPath<Entity, String?> = \.managedObjectClassName
        let texts: [ReferenceWritableKeyPath<Entity, String?>] = [\.name, \.renamingIdentifier, \.versionHashModifier]
        let _: ReferenceWritableKeyPath<Entity, Bool> = \.isAbstract
        let _: ReferenceWritableKeyPath<Entity, [AnyHashable: Any]?> = \.userInfo
        let _: ReferenceWritableKeyPath<Entity, [NSPropertyDescription]> = \.properties
        let _: KeyPath<Entity, [String: NSPropertyDescription]> = \.propertiesByName
        let _: KeyPath<Entity, [String: NSAttributeDescription]> = \.attributesByName
        let _: KeyPath<Entity, [String: NSRelationshipDescription]> = \.relationshipsByName
        let _: (Entity) -> (NSEntityDescription) -> [NSRelationshipDescription] = Entity.relationships(forDestination:)
        let _: ReferenceWritableKeyPath<Entity, [NSEntityDescription]> = \.subentities
        let _: KeyPath<Entity, [String: NSEntityDescription]> = \.subentitiesByName
        let _: KeyPath<Entity, NSEntityDescription?> = \.superentity
        let _: (Entity) -> (NSEntityDescription) -> Bool = Entity.isKindOf(entity:)
        let lists: [ReferenceWritableKeyPath<Entity, [[Any]]>] = [\.uniquenessConstraints, \.compoundIndexes]
        let _: ReferenceWritableKeyPath<Entity, [NSFetchIndexDescription]> = \.indexes
        let _: KeyPath<Entity, Data> = \.versionHash
        let entity = Entity()
        #expect(texts.allSatisfy { entity[keyPath: $0] == nil } && lists.allSatisfy { entity[keyPath: $0].isEmpty })
        #expect(entity.managedObjectClassName == "NSManagedObject" && !entity.isAbstract && entity.superentity == nil)
        #expect(entity.versionHash.count == 32)
        try Surface().run { context in
            #expect(Entity.entity(forEntityName: "Item", in: context)?.name == "Item")
            #expect(Entity.entity(forEntityName: "Nothing", in: context) == nil)
            #expect(Entity.insertNewObject(forEntityName: "Item", into: context).isInserted)
        }
    }

    @Test("API-135…139, API-141: properties and attributes")
    func attributes() {
        let _: KeyPath<Property, NSEntityDescription> = \.entity
        let _: ReferenceWritableKeyPath<Property, String> = \.name
        let flags: [ReferenceWritableKeyPath<Property, Bool>] = [\.isOptional, \.isTransient, \.isIndexed]
        let _: ReferenceWritableKeyPath<Property, [AnyHashable: Any]?> = \.userInfo
        let _: KeyPath<Property, [NSPredicate]> = \.validationPredicates
        let _: KeyPath<Property, [Any]> = \.validationWarnings
        let _: (Property) -> ([NSPredicate]?, [String]?) -> Void =
            Property.setValidationPredicates(_:withValidationWarnings:)
        let _: KeyPath<Property, Data> = \.versionHash
        let texts: [ReferenceWritableKeyPath<Property, String?>] = [\.versionHashModifier, \.renamingIdentifier]
        let _: ReferenceWritableKeyPath<Attribute, NSAttributeType> = \.attributeType
        let _: ReferenceWritableKeyPath<Attribute, Attribute.AttributeType> = \.type
        let _: ReferenceWritableKeyPath<Attribute, String?> = \.attributeValueClassName
        let _: ReferenceWritableKeyPath<Attribute, Any?> = \.defaultValue
        let _: ReferenceWritableKeyPath<Attribute, String?> = \.valueTransformerName
        let extras: [ReferenceWritableKeyPath<Attribute, Bool>] = [
            \.allowsExternalBinaryDataStorage, \.preservesValueInHistoryOnDeletion, \.allowsCloudEncryption,
        ]
        let _: ReferenceWritableKeyPath<NSCompositeAttributeDescription, [NSAttributeDescription]> = \.elements
        let attribute = Attribute()
        #expect(flags.map { attribute[keyPath: $0] } == [true, false, false])
        #expect(texts.allSatisfy { attribute[keyPath: $0] == nil } && extras.allSatisfy { !attribute[keyPath: $0] })
        #expect(attribute.defaultValue == nil && attribute.validationPredicates.isEmpty && attribute.userInfo?.isEmpty == true)
        let raw: [(NSAttributeType, Attribute.AttributeType, UInt)] = [
            (.undefinedAttributeType, .undefined, 0), (.integer16AttributeType, .integer16, 100),
            (.integer32AttributeType, .integer32, 200), (.integer64AttributeType, .integer64, 300),
            (.decimalAttributeType, .decimal, 400), (.doubleAttributeType, .double, 500), (.floatAttributeType, .float, 600),
            (.stringAttributeType, .string, 700), (.booleanAttributeType, .boolean, 800), (.dateAttributeType, .date, 900),
            (.binaryDataAttributeType, .binaryData, 1000), (.UUIDAttributeType, .uuid, 1100), (.URIAttributeType, .uri, 1200),
            (.transformableAttributeType, .transformable, 1800), (.objectIDAttributeType, .objectID, 2000),
            (.compositeAttributeType, .composite, 2100),
        ]
        for (old, new, number) in raw { #expect(old.rawValue == number && new.rawValue == number) }
        // Values come and go as these classes.
        #expect(
            Attribute.AttributeType.allValues.allSatisfy { type, value in
                let attribute = Attribute()
                attribute.type = type
                return NSClassFromString("Foundation.\(attribute.attributeValueClassName ?? "")").map { value.isKind(of: $0) }
                    ?? false
            })
    }

    @Test("API-142, API-143: relationships")
    func relationships() {
        let _: ReferenceWritableKeyPath<Relationship, NSEntityDescription?> = \.destinationEntity
        let _: ReferenceWritableKeyPath<Relationship, NSRelationshipDescription?> = \.inverseRelationship
        let counts: [ReferenceWritableKeyPath<Relationship, Int>] = [\.maxCount, \.minCount]
        let _: ReferenceWritableKeyPath<Relationship, NSDeleteRule> = \.deleteRule
        let _: KeyPath<Relationship, Bool> = \.isToMany
        let _: ReferenceWritableKeyPath<Relationship, Bool> = \.isOrdered
        let relationship = Relationship()
        #expect(counts.map { relationship[keyPath: $0] } == [0, 0])
        #expect(relationship.isToMany && !relationship.isOrdered && relationship.deleteRule == .nullifyDeleteRule)
        relationship.maxCount = 1
        #expect(!relationship.isToMany)
        let rules: [NSDeleteRule] = [.noActionDeleteRule, .nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule]
        #expect(rules.map(\.rawValue) == [0, 1, 2, 3])
    }

    @Test("API-146…148: indexes")
    func indexes() {
        typealias Index = NSFetchIndexDescription
        typealias Element = NSFetchIndexElementDescription
        let _: (String, [NSFetchIndexElementDescription]?) -> Index = Index.init(name:elements:)
        let _: ReferenceWritableKeyPath<Index, String> = \.name
        let _: ReferenceWritableKeyPath<Index, [NSFetchIndexElementDescription]> = \.elements
        let _: KeyPath<Index, NSEntityDescription?> = \.entity
        let _: (NSPropertyDescription, NSFetchIndexElementType) -> Element = Element.init(property:collationType:)
        let _: KeyPath<Element, NSPropertyDescription?> = \.property
        let _: KeyPath<Element, String?> = \.propertyName
        let _: ReferenceWritableKeyPath<Element, NSFetchIndexElementType> = \.collationType
        let _: ReferenceWritableKeyPath<Element, Bool> = \.isAscending
        let _: KeyPath<Element, NSFetchIndexDescription?> = \.indexDescription
        #expect(NSFetchIndexElementType.binary.rawValue == 0 && NSFetchIndexElementType.rTree.rawValue == 1)
        let name = NSAttributeDescription()
        name.name = "name"
        let element = Element(property: name, collationType: .binary)
        let index = Index(name: "byName", elements: [element])
        #expect(element.isAscending && element.propertyName == "name" && element.indexDescription === index)
        #expect(index.entity == nil && Index(name: "none", elements: nil).elements.isEmpty)
    }
}

extension NSAttributeDescription.AttributeType {
    /// A value of each type whose values are of a class of Foundation.
    fileprivate static var allValues: [(NSAttributeDescription.AttributeType, NSObject)] {
        [
            (.integer16, NSNumber(value: 1)), (.integer32, NSNumber(value: 1)), (.integer64, NSNumber(value: 1)),
            (.double, NSNumber(value: 1.5)), (.float, NSNumber(value: 1.5)), (.boolean, NSNumber(value: true)),
            (.decimal, NSDecimalNumber(value: 1)), (.string, NSString("a")), (.date, NSDate()), (.binaryData, NSData()),
            (.uuid, NSUUID()), (.uri, NSURL(fileURLWithPath: "/")), (.composite, NSDictionary()),
        ]
    }
}

public import DataModel
public import Foundation
import Predicates

/// The variable for the migration manager in the expressions of mapping models.
public let NSMigrationManagerKey = "manager"
/// The variable for the object of the older model.
public let NSMigrationSourceObjectKey = "source"
/// The variable for the object of the newer model.
public let NSMigrationDestinationObjectKey = "destination"
/// The variable for the entity mapping.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The variable for the property mapping.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The variable for the migration policy.
public let NSMigrationEntityPolicyKey = "entityPolicy"

/// Makes the objects of one entity mapping. Subclass it where a mapping model can't say how.
///
/// Write the name of the subclass, with its module, as the mapping's `entityMigrationPolicyClassName`. A method of the
/// subclass that expressions call as `FUNCTION($entityPolicy, "name:", …)` is one of `ExpressionFunctionTarget`. All
/// methods are called on the queues of both of the manager's contexts.
open class NSEntityMigrationPolicy: NSObject {
    /// Makes a policy. The manager makes one for each entity mapping.
    public required override init() { super.init() }

    /// Is called before objects are made. The default does nothing.
    open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

    /// Makes the objects that an older one becomes, and gives them the values of attributes.
    ///
    /// The default makes one, evaluates the attribute mappings, and associates both. An override that does not call it
    /// associates what it makes by ``NSMigrationManager/associate(sourceInstance:withDestinationInstance:for:)``.
    open func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        guard let entity = manager.destinationEntity(for: mapping), let name = entity.name else { return }
        let instance = NSEntityDescription.insertNewObject(forEntityName: name, into: manager.destinationContext)
        for property in mapping.attributeMappings ?? [] {
            guard let key = property.name, let expression = property.valueExpression else { continue }
            guard entity.attributesByName[key] != nil else { continue }
            let value = try manager.value(of: expression, property, mapping, self, source: sInstance, destination: instance)
            instance.setValue(value is NSNull ? nil : value, forKey: key)
        }
        manager.associate(sourceInstance: sInstance, withDestinationInstance: instance, for: mapping)
    }

    /// Is called when all objects of the mapping have been made. The default does nothing.
    open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Sets the relationships of an object. The default evaluates the relationship mappings.
    open func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let source = manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [dInstance]).first
        for property in mapping.relationshipMappings ?? [] {
            guard let key = property.name, let expression = property.valueExpression,
                let relationship = dInstance.entity.relationshipsByName[key]
            else { continue }
            let value = try manager.value(of: expression, property, mapping, self, source: source, destination: dInstance)
            let objects = MigratedObjects.list(value)
            if !relationship.isToMany {
                dInstance.setValue(objects.first, forKey: key)
            } else if relationship.isOrdered {
                dInstance.setValue(NSOrderedSet(array: objects), forKey: key)
            } else {
                dInstance.setValue(Set(objects), forKey: key)
            }
        }
    }

    /// Is called when all relationships of the mapping's objects are set. The default does nothing.
    open func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Checks what was made, beside what saving checks. The default does nothing.
    open func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Is called at the end. The default does nothing.
    open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}
}

/// The objects in the value of an expression.
enum MigratedObjects {
    static func list(_ value: Any?) -> [NSManagedObject] {
        switch value {
        case let object as NSManagedObject: [object]
        case let objects as [NSManagedObject]: objects
        case let objects as Set<NSManagedObject>:
            objects.sorted { $0.objectID.uriRepresentation().absoluteString < $1.objectID.uriRepresentation().absoluteString }
        case let objects as NSOrderedSet: objects.array.compactMap { $0 as? NSManagedObject }
        case let objects as NSSet: objects.allObjects.compactMap { $0 as? NSManagedObject }
        case let objects as [Any]: objects.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }
}

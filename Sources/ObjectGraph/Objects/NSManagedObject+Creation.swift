import DataModel
import Foundation

/// Gives ``NSManagedObject`` an initializer that makes an object of the entity's own class.
public protocol ManagedObjectCreation {}

extension NSManagedObject: ManagedObjectCreation {}

extension ManagedObjectCreation {
    /// Makes an object of the entity's class, with the model's default values, and inserts it.
    ///
    /// `NSManagedObject(entity: movieEntity, insertInto: context)` gives a `Movie` if that is the entity's class, as with Apple's framework.
    /// Stops the program if the entity's class is not the class named in the call or a subclass of it.
    ///
    /// - Parameters:
    ///   - entity: An entity of the context's model.
    ///   - context: The context, on whose queue the call must be.
    public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext) {
        let objectClass = context.registryForInsert(entity).record.pointee.objectClass
        let made =
            objectClass == NSManagedObject.self && Self.self is NSManagedObject.Type
            ? (Self.self as? NSManagedObject.Type ?? NSManagedObject.self).init(entity: entity, insertInto: Optional(context))
            : objectClass.init(entity: entity, insertInto: Optional(context))
        guard let object = made as? Self else {
            fatalError("The objects of entity “\(entity.name ?? "")” are of class \(objectClass), which is not a \(Self.self)")
        }
        self = object
    }
}

extension NSManagedObject {
    static func detachedRegistry(for entity: NSEntityDescription) -> ObjectRegistry {
        let runtime = ModelRuntime.of(entity.managedObjectModel)
        guard let layout = runtime.layout.entity(named: entity.name ?? "") else {
            preconditionFailure("The entity “\(entity.name ?? "")” is not in its model")
        }
        return ObjectRegistry(runtime: runtime, entity: layout.index, context: nil, store: nil)
    }

    /// The context while the object is confined to its queue: no lock, no retain.
    final var context: NSManagedObjectContext? {
        @inline(__always) get { registry.record.pointee.context?._withUnsafeGuaranteedRef { $0 } }
    }

    /// Makes the object one of another registry, under another key.
    final func move(to target: ObjectRegistry, key newKey: Int64) {
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        let old = registry
        let oldKey = key
        registry = target
        key = newKey
        cachedID = nil
        target.insert(self, key: newKey)
        old.remove(pointer, key: oldKey, leaves: true)
    }

    /// Takes the object out of its context for good.
    final func leaveContext() {
        _state.formUnion(.gone)
        _state.subtract([.inserted, .updated, .deleted, .deletedElsewhere, .writable])
        let keptID = objectID
        move(to: ObjectRegistry(runtime: registry.runtime, entity: layout.index, context: nil, store: registry.store), key: key)
        cachedID = keptID
    }

    final var debugText: String {
        let values: String
        if _slots == nil {
            values = "<fault>"
        } else {
            let pairs = layout.slotByName.keys.sorted().map { name in
                "\(name): \(hasFault(forRelationshipNamed: name) ? "<fault>" : readPrimitive(name).map(shortText) ?? "nil")"
            }
            values = "{\(pairs.joined(separator: ", "))}"
        }
        return "<\(type(of: self))> (entity: \(layout.name); id: \(objectID.uriRepresentation().absoluteString); data: \(values))"
    }

    private func shortText(_ value: Any) -> String {
        switch value {
        case let object as NSManagedObject: object.objectID.uriRepresentation().absoluteString
        case let set as NSSet: "\(set.count) objects"
        case let set as NSOrderedSet: "\(set.count) objects"
        case let data as Data: "\(data.count) bytes"
        default: "\(value)"
        }
    }
}

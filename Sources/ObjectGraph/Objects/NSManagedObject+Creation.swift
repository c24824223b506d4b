public import DataModel
import Foundation
public import FoundationGaps
import Storage

extension NSManagedObject: _ClassCluster {}

extension _ClassCluster where Self: NSManagedObject {
    /// Makes an object of the entity's class, with the model's default values, and inserts it.
    ///
    /// `NSManagedObject(entity: movieEntity, insertInto: context)` gives a `Movie` if that is the entity's class, as
    /// with Apple's framework. Stops the program if the entity's class is not the class named in the call or a subclass
    /// of it.
    ///
    /// - Parameters:
    ///   - entity: An entity of the context's model.
    ///   - context: The context, on whose queue the call must be.
    public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext) {
        let objectClass = context.registryForInsert(entity).record.pointee.objectClass
        let fault = context._beginInsertion()
        let madeClass: NSManagedObject.Type = objectClass == NSManagedObject.self ? Self.self : objectClass
        let made = madeClass.init(entity: entity, insertInto: Optional(context))
        context._endInsertion(fault)
        guard let object = made as? Self else {
            fatalError("The objects of entity “\(entity.name ?? "")” are of class \(objectClass), which is not a \(Self.self)")
        }
        self = object
    }
}

extension NSManagedObject {
    /// Stops the program if the entity has objects of another class, and the accessors of this class would read other
    /// slots.
    @inline(never) final func requireFittingSlots() {
        guard let slotted = type(of: self) as? any _SlotOrderedObject.Type else { return }
        let names = slotted._slotNames
        let problems = slotted._typeMismatches(with: layout.description)
        guard !layout.slots.prefix(names.count).map(\.name).elementsEqual(names) || !problems.isEmpty else { return }
        let details = problems.isEmpty ? "" : ":\n" + problems.joined(separator: "\n")
        fatalError(
            "The objects of entity “\(layout.name)” are of class \(registry.record.pointee.objectClass): a \(type(of: self)) can't be made from it"
                + details)
    }

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

    /// Moves the object to another registry, under another key.
    final func move(to target: ObjectRegistry, key newKey: Int64) {
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        let old = registry
        let oldKey = key
        registry = target
        key = newKey
        cachedID = nil
        target.insert(self, key: newKey)
        if target.record.pointee.tellsStore { target.tellRegistered(newKey) }
        if old.record.pointee.tellsStore { old.tellUnregistered([oldKey]) }
        old.remove(pointer, key: oldKey)
    }

    /// Takes objects out of their context for good. They keep their values and IDs.
    static func leaveContext(_ objects: some Sequence<NSManagedObject>) {
        // Objects of one registry go to one detached registry. This function keeps it alive until it is done.
        var last: (source: UnsafeMutablePointer<ObjectRegistry.Record>, target: ObjectRegistry)?
        for object in objects {
            let target: ObjectRegistry
            if let last, last.source == object.registry.record {
                target = last.target
            } else {
                last?.target.leave()
                let source = object.registry
                target = ObjectRegistry(runtime: source.runtime, entity: source.layout.index, context: nil, store: source.store)
                target.adopt()
                last = (source.record, target)
            }
            object.endTracking()
            object._state.formUnion(.gone)
            object._state.subtract([.inserted, .updated, .deleted, .deletedElsewhere, .deletedByMerge, .writable])
            let id = object.objectID
            object.context?.uniquing.release(object)
            object.move(to: target, key: object.key)
            object.cachedID = id
        }
        last?.target.leave()
    }

    final var debugText: String {
        let values: String
        if _slots == nil {
            values = "<fault>"
        } else {
            let pairs = layout.slotByName.keys.sorted().map { name in
                "\(name): \(debugText(of: name))"
            }
            values = "{\(pairs.joined(separator: ", "))}"
        }
        return "<\(type(of: self))> (entity: \(layout.name); id: \(objectID.uriRepresentation().absoluteString); data: \(values))"
    }

    private final func debugText(of name: String) -> String {
        if isAbandoned, layout.relationship(named: name) != nil { return "<context gone>" }
        // The text does not read files, so that it can't fail.
        if layout.slotByName[name].flatMap(unreadFile) != nil { return "<fault>" }
        return hasFault(forRelationshipNamed: name) ? "<fault>" : readPrimitive(name).map(shortText) ?? "nil"
    }

    /// Whether the context is gone although the object was not deleted. Its destinations can't be found then.
    package final var isAbandoned: Bool {
        context == nil && !registry.record.pointee.isDetached && _state.isDisjoint(with: [.gone, .image])
    }

    private func shortText(_ value: Any) -> String {
        switch value {
        case let object as NSManagedObject: object.objectID.uriRepresentation().absoluteString
        case let set as NSSet: "\(set.count) objects"
        case let set as NSOrderedSet: "\(set.count) objects"
        case let data as Data: "\(data.count) bytes"
        default: ValueText.of(value)
        }
    }
}

import DataModel
import Foundation
import Storage

/// Properties by name.
extension NSManagedObject {
    final func dynamicValue(forKey key: String) -> Any? {
        guard let slot = layout.slotByName[key] else {
            if let composite = layout.composites[key] {
                _ = _loadedSlots
                if let slot = compositeSlot(forKey: key) { _noteReading(slot) }
                return compositeValue(composite)
            }
            if let property = fetchedProperty(key) { return fetchedValue(of: property) }
            if let value = objectValue(forKey: key) { return value }
            return value(forUndefinedKey: key)
        }
        _ = _loadedSlots(reading: slot)
        if _state.contains(.unread) { noteUnreadReading() }
        _noteReading(slot)
        return readSlot(slot)
    }

    final func setDynamicValue(_ value: Any?, forKey key: String) {
        guard let slot = layout.slotByName[key] else {
            if let composite = layout.composites[key] { return setComposite(composite, value) }
            return setValue(value, forUndefinedKey: key)
        }
        let value = value is NSNull ? nil : value
        guard let relationship = layout.relationship(slot: slot) else { return _setObject(slot, value) }
        if relationship.isToMany {
            setToMany(relationship, destinations(value, of: relationship))
        } else {
            setToOne(relationship, destination(value, of: relationship))
        }
    }

    final func readPrimitive(_ key: String) -> Any? {
        guard let slot = layout.slotByName[key] else { return layout.composites[key].flatMap(compositeValue) }
        return _slots == nil ? nil : readSlot(slot)
    }

    /// The primitive value that is given to the program. A set may be changed in place while a change is announced.
    final func givenPrimitive(_ key: String) -> Any? {
        guard _slots != nil, let relationship = layout.relationship(named: key), relationship.isToMany else {
            return readPrimitive(key)
        }
        let announced = AnnouncedChange(object: ObjectIdentifier(self), slot: relationship.slot)
        if let set = context?.event.givenSet(announced) { return set }
        let objects = toMany(relationship).objects
        let set: NSObject = relationship.isOrdered ? NSMutableOrderedSet(array: objects) : NSMutableSet(array: objects)
        if let context, context.event.isAnnounced(announced) { context.event.noteGivenSet(set, announced) }
        return set
    }

    final func readSlot(_ slot: Int) -> Any? {
        guard let relationship = layout.relationship(slot: slot) else { return attributeValue(slot) }
        guard relationship.isToMany else { return toOne(relationship) }
        let objects = toMany(relationship).objects
        return relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
    }

    /// The value of an attribute. An object that was reset has only the default values of transient attributes.
    final func attributeValue(_ slot: Int) -> Any? {
        if let file = unreadFile(slot) { return externalValue(slot, file) }
        let row = row ?? (context == nil ? registry.runtime.templates[layout.index] : nil)
        return row.flatMap { SlotCoding.value(in: $0, slot: slot, of: layout) }
    }

    final func writePrimitive(_ value: Any?, _ key: String) {
        guard let slot = layout.slotByName[key] else {
            if let composite = layout.composites[key] { return setComposite(composite, value, tracked: false) }
            undefinedKey(key)
        }
        let value = value is NSNull ? nil : value
        makeDraftIfNeeded()
        if _state.contains(.hasUnfitValues) { UnfitValues.forget(self, slot: slot) }
        if !_state.contains(.awakening) { markChanged(slot) }
        if let relationship = layout.relationship(slot: slot) {
            if relationship.isToMany {
                toMany(relationship).replace(with: destinations(value, of: relationship))
                context?.event.takeGivenSet(AnnouncedChange(object: ObjectIdentifier(self), slot: slot))
            } else {
                writeToOne(relationship, destination(value, of: relationship))
            }
        } else if let value {
            put(value, slot)
        } else {
            row?.setNil(slot)
        }
    }

    final func undefinedKey(_ key: String) -> Never {
        let names = layout.names(Array(layout.slotByName.keys) + layout.composites.keys, insteadOf: key)
        fatalError("The entity “\(layout.name)” is not key value coding-compliant for the key “\(key)”. \(names)")
    }

    private final func destination(_ value: Any?, of relationship: RelationshipLayout) -> NSManagedObject? {
        guard let value else { return nil }
        guard let object = value as? NSManagedObject else { badDestination(value, relationship) }
        return object
    }

    final func destinations(_ value: Any?, of relationship: RelationshipLayout) -> [NSManagedObject] {
        let elements: [Any]
        switch value {
        case nil: return []
        case let array as [NSManagedObject]: return array
        case let set as NSOrderedSet where relationship.isOrdered: elements = set.array
        case let set as Set<NSManagedObject> where !relationship.isOrdered: return Array(set)
        case let set as NSSet where !relationship.isOrdered: elements = set.allObjects
        case let array as [Any]: elements = array
        case .some(let other): badDestination(other, relationship)
        }
        return elements.map { element in
            guard let object = element as? NSManagedObject else { badDestination(element, relationship) }
            return object
        }
    }

    final func badDestination(_ value: Any, _ relationship: RelationshipLayout) -> Never {
        let kind = relationship.isToMany ? relationship.isOrdered ? "ordered to-many" : "to-many" : "to-one"
        let type = relationship.isToMany ? relationship.isOrdered ? "NSOrderedSet" : "NSSet" : "NSManagedObject"
        let desired = registry.runtime.layout.entities[relationship.destination].name
        let given = (value as? NSManagedObject).map { "an object of entity \"\($0.layout.name)\"" } ?? "\(Swift.type(of: value))"
        fatalError(
            "Unacceptable type of value for \(kind) relationship: property = \"\(relationship.name)\" of entity \"\(layout.name)\"; "
                + "desired type = \(type); desired entity = \"\(desired)\"; given = \(given)")
    }

    // MARK: Composite attributes

    private final func compositeValue(_ composite: CompositeLayout) -> Any? {
        guard row != nil else { return nil }
        var values: [String: Any] = [:]
        for (name, element) in composite.elements {
            switch element {
            case .slot(let slot): values[name] = attributeValue(slot)
            case .composite(let nested): values[name] = compositeValue(nested)
            }
        }
        return values.isEmpty ? nil : values
    }

    private final func setComposite(_ composite: CompositeLayout, _ value: Any?, tracked: Bool = true) {
        guard value == nil || value is NSNull || value is [String: Any] else {
            fatalError(
                "Unacceptable type of value for attribute: property = \"\(composite.name)\" of entity \"\(layout.name)\"; desired type = "
                    + "[String: Any]; given type = \(type(of: value))")
        }
        let values = value as? [String: Any] ?? [:]
        for (name, element) in composite.elements {
            let elementValue = values[name] is NSNull ? nil : values[name]
            switch element {
            case .composite(let nested): setComposite(nested, elementValue, tracked: tracked)
            case .slot(let slot) where tracked: _setObject(slot, elementValue)
            case .slot(let slot): writePrimitive(elementValue, layout.slots[slot].name)
            }
        }
    }

    // MARK: Several keys

    /// The value at the end of a path of keys such as `director.name`. For a to-many relationship, a key gives the set
    /// of the members' values.
    public final func value(forKeyPath keyPath: String) -> Any? { KeyValueWalk.value(of: self, keyPath) }

    /// Sets the property at the end of a path of to-one relationships. Does nothing if a destination on the way is nil.
    public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
        var target = self
        var rest = Substring(keyPath)
        while let dot = rest.firstIndex(of: ".") {
            guard let next = target.value(forKey: String(rest[..<dot])) as? NSManagedObject else { return }
            target = next
            rest = rest[rest.index(after: dot)...]
        }
        target.setValue(value, forKey: String(rest))
    }

    /// Sets several properties; `NSNull` stands for nil.
    public final func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
    }

    /// The values of several properties; nil as `NSNull`.
    public final func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
    }
}

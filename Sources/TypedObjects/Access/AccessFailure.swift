public import ObjectGraph

/// Stops the program when an accessor has no value to return, with a message that says why. These functions are not inlined,
/// because the accessors that call them are inlined everywhere.
@usableFromInline
enum AccessFailure {
    @inline(never)
    static func stop(_ error: PropertyValueError) -> Never { fatalError(error.description) }

    /// Returns a placeholder for a required relationship without a destination, if the context allows it. Otherwise it stops the
    /// program.
    @usableFromInline
    @inline(never)
    static func destinationInstead<Destination: NSManagedObject>(_ object: NSManagedObject, _ name: String, _ slot: Int)
        -> Destination
    {
        if object.isAbandoned, !object._isNil(slot) {
            fatalError(
                "\(type(of: object)).\(name) of \(object.objectID) can't be read: \(NSManagedObject.adviceForGoneContext)")
        }
        let error = PropertyValueError(object, storedName: name, type: Destination.self, reason: .missing)
        if object.givesNeutralValue(atSlot: slot, error), let placeholder = object.placeholder(atSlot: slot) as? Destination {
            return placeholder
        }
        stop(error)
    }

    /// Returns a neutral value for an attribute that has no value of its type, if the context allows it. Otherwise it stops the
    /// program.
    @usableFromInline
    @inline(never)
    static func valueInstead<Value: AttributeValue>(_ object: NSManagedObject, _ name: String, _ slot: Int) -> Value {
        let error = PropertyValueError(
            object, storedName: name, type: Value.self, reason: Value._problem(object, slot) ?? .missing)
        if object.givesNeutralValue(atSlot: slot, error),
            let value = Value._unreadValue ?? object.readingDefaults({ Value._readRequired($0, slot) })
        {
            return value
        }
        stop(error)
    }

    /// The same for an attribute that is stored as its raw value.
    @usableFromInline
    @inline(never)
    static func rawValueInstead<Value: RawRepresentable>(_ object: NSManagedObject, _ name: String, _ slot: Int) -> Value
    where Value.RawValue: AttributeValue {
        let error: PropertyValueError
        if let raw = Value.RawValue._read(object, slot) {
            error = PropertyValueError(object, storedName: name, type: Value.self, reason: .unknownValue("\(raw)"))
        } else {
            error = PropertyValueError(
                object, storedName: name, type: Value.RawValue.self, reason: Value.RawValue._problem(object, slot) ?? .missing)
        }
        if object.givesNeutralValue(atSlot: slot, error),
            let value = object.readingDefaults({ Value.RawValue._read($0, slot).flatMap(Value.init(rawValue:)) })
                ?? NeutralValue.of(Value.self)
        {
            return value
        }
        stop(error)
    }

    /// The same for an attribute whose type does not conform to `AttributeValue`. The caller knows the error and the neutral
    /// value.
    static func valueInstead<Value>(_ object: NSManagedObject, _ slot: Int, _ error: PropertyValueError, _ neutral: Value?)
        -> Value
    {
        if object.givesNeutralValue(atSlot: slot, error), let neutral { return neutral }
        stop(error)
    }

    @usableFromInline
    @inline(never)
    static func wrongClass(_ object: NSManagedObject, _ name: String, _ value: NSManagedObject, _ type: Any.Type) -> Never {
        let schema = (Swift.type(of: object) as? any TypedObject.Type)?._typedSchema
        let property = schema?.allProperties.first { $0.storedName == name }?.name ?? name
        fatalError(
            "\(Swift.type(of: object)).\(property) leads to an object of class \(Swift.type(of: value)), which is not a \(type): \(value.objectID)"
        )
    }
}

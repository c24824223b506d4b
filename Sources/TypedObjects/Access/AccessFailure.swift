import ObjectGraph

/// The messages that stop a program which reads what isn't there. They are kept out of the accessors, which are inlined everywhere.
@usableFromInline
enum AccessFailure {
    @inline(never)
    static func stop(_ error: PropertyValueError) -> Never { fatalError(error.description) }

    /// A relationship without destination.
    @usableFromInline
    @inline(never)
    static func noValue(_ object: NSManagedObject, _ name: String, _ type: Any.Type) -> Never {
        stop(PropertyValueError(object, storedName: name, type: type, reason: .missing))
    }

    /// An attribute without value, or with one that the type doesn't have.
    @usableFromInline
    @inline(never)
    static func noValue<Value: AttributeValue>(_ object: NSManagedObject, _ name: String, _ slot: Int, _ type: Value.Type)
        -> Never
    {
        stop(PropertyValueError(object, storedName: name, type: type, reason: type._problem(object, slot) ?? .missing))
    }

    @usableFromInline
    @inline(never)
    static func unknownRawValue(_ object: NSManagedObject, _ name: String, _ value: Any, _ type: Any.Type) -> Never {
        stop(PropertyValueError(object, storedName: name, type: type, reason: .unknownValue("\(value)")))
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

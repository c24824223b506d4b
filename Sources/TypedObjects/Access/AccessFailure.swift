import ObjectGraph

/// The messages that stop a program which reads what isn't there. They are kept out of the accessors, which are inlined everywhere.
@usableFromInline
enum AccessFailure {
    @usableFromInline
    @inline(never)
    static func noValue(_ object: NSManagedObject, _ name: String) -> Never {
        fatalError("\(place(object, name)) is required and has no value in \(object.objectID)")
    }

    @usableFromInline
    @inline(never)
    static func unknownRawValue(_ object: NSManagedObject, _ name: String, _ value: Any, _ type: Any.Type) -> Never {
        fatalError("\(place(object, name)) is “\(value)”, which is no \(type), in \(object.objectID)")
    }

    @usableFromInline
    @inline(never)
    static func wrongClass(_ object: NSManagedObject, _ name: String, _ value: NSManagedObject, _ type: Any.Type) -> Never {
        fatalError(
            "\(place(object, name)) leads to an object of class \(Swift.type(of: value)), which is no \(type): \(value.objectID)")
    }

    /// Class and property, the property by its name in Swift.
    private static func place(_ object: NSManagedObject, _ storedName: String) -> String {
        let schema = (type(of: object) as? any TypedObject.Type)?._typedSchema
        let name = schema?.allProperties.first { $0.storedName == storedName }?.name ?? storedName
        return "\(type(of: object)).\(name)"
    }
}

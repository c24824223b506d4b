import ObjectGraph

/// Makes a property of a managed object class a managed property, as `@NSManaged` does with Apple's framework.
///
/// Use it for single properties of a class that is not an `@Entity`, for example in the two-layer pattern:
///
/// ```swift
/// class Movie: NSManagedObject {
///     @Managed private var cd_duration: NSNumber?
///
///     var duration: Int32? {
///         get { cd_duration?.int32Value }
///         set { cd_duration = newValue.map { NSNumber(value: $0) } }
///     }
/// }
/// ```
///
/// The property may be in the class or in an extension of it. The type may be any type that `@Entity` classes use. For a
/// transformable attribute it may be any other type, such as `NSDictionary?`, `[String]`, or a class of your own.
///
/// If the model's attribute is another kind of number than the type, the value is converted. Examples are `Int16` for an Integer
/// 32, `Bool` for an integer, and `Double` for a date. Fractions are cut off for integers. If a number does not fit in the type,
/// an optional property is nil, and any other property stops the program. A type to which the attribute can't be converted stops
/// the program when the property is first used, with file and line.
///
/// As with Apple's accessors, a property without a value reads as 0, false or empty if its type is not optional. This applies to
/// numbers, `Bool`, `String`, `Data`, collections, and types with such a raw value. With any other type, such as `Date`, reading
/// it stops the program with a message that names the class, the property and the object. Using a property that the object's
/// entity does not have stops the program too.
///
/// A property named like `primitiveDate` is the primitive value of `date`, unless the entity has a property with that name.
/// Setting it does not track a change, so your own accessors can announce the change:
///
/// ```swift
/// @Managed private var primitiveDate: Date?
///
/// var date: Date? {
///     get {
///         willAccessValue(forKey: "date")
///         defer { didAccessValue(forKey: "date") }
///         return primitiveDate
///     }
///     set {
///         willChangeValue(forKey: "date")
///         primitiveDate = newValue
///         didChangeValue(forKey: "date")
///     }
/// }
/// ```
@attached(accessor)
@attached(peer, names: prefixed(_key_))
public macro Managed() = #externalMacro(module: "TypedObjectsMacros", type: "ManagedMacro")

/// Makes a property of a managed object class a managed property that has another name in the model.
///
/// - Parameter storedName: The name in the model. It must be a string literal.
@attached(accessor)
@attached(peer, names: prefixed(_key_))
public macro Managed(_ storedName: String) = #externalMacro(module: "TypedObjectsMacros", type: "ManagedMacro")

/// Makes a property a managed property with a slot, which is counted from the class's first slot. `@Entity` writes it. Don't use
/// it by hand.
@attached(accessor)
public macro Managed(_slot: Int) = #externalMacro(module: "TypedObjectsMacros", type: "ManagedMacro")

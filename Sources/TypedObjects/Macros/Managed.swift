import ObjectGraph

/// Lets a property of a managed object class take its value from the object: what `@NSManaged` is for Apple's framework.
///
/// Use it for single properties of a class that is not an `@Entity`, for one in the two-layer pattern:
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
/// The property may be in the class or in an extension of it. The type may be any that `@Entity` classes use, and, over a
/// transformable attribute, any other: `NSDictionary?`, `[String]`, a class of your own. Where the model's attribute is a number
/// of another kind than the type (`Int16` over an Integer 32, `Bool` over an integer, `Double` over a date), the value is
/// converted, fractions cut off for integers. A number that the type has no room for is not made another: such a property stops
/// the program, or is nil where it may be. A type of which nothing can be made stops the program at its first use, with file and
/// line.
///
/// As with Apple's accessors, a property whose type is not optional reads as 0, false or empty while it has
/// no value: numbers, `Bool`, `String`, `Data`, collections, and types with such a raw value. Of other types, dates for one, it
/// stops the program with a message that names class, property and object. So does using a property that the object's entity does
/// not have.
///
/// A property named like `primitiveDate` is the primitive value of `date`, unless the entity has a property of that name itself:
/// setting it tracks no change, so that accessors of your own can announce it:
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

/// Lets a property of a managed object class take its value from the object's property of another name.
///
/// - Parameter storedName: the name in the model; a string literal.
@attached(accessor)
@attached(peer, names: prefixed(_key_))
public macro Managed(_ storedName: String) = #externalMacro(module: "TypedObjectsMacros", type: "ManagedMacro")

/// Lets a property take its value from the slot at a distance from the class's first one. `@Entity` writes it; don't use it by
/// hand.
@attached(accessor)
public macro Managed(_slot: Int) = #externalMacro(module: "TypedObjectsMacros", type: "ManagedMacro")

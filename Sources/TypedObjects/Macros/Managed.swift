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
/// The type may be any that `@Entity` classes use. Reading a property whose type is not optional while it has no value stops the program
/// with a message that names class, property and object. So does using a property that the object's entity does not have.
@attached(accessor)
@attached(peer, names: prefixed(_key_))
public macro Managed() = #externalMacro(module: "TypedObjectsMacros", type: "ManagedMacro")

/// Lets a property of a managed object class take its value from the object's property of another name.
///
/// - Parameter storedName: the name in the model; a string literal.
@attached(accessor)
@attached(peer, names: prefixed(_key_))
public macro Managed(_ storedName: String) = #externalMacro(module: "TypedObjectsMacros", type: "ManagedMacro")

/// Lets a property take its value from the slot at a distance from the class's first one. `@Entity` writes it; don't use it by hand.
@attached(accessor)
public macro Managed(slot: Int) = #externalMacro(module: "TypedObjectsMacros", type: "ManagedMacro")

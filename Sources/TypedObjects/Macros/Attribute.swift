/// Describes an attribute of an `@Entity` class in more detail than its type.
///
/// ```swift
/// @Attribute(.unique) var imdbID: String
/// @Attribute("length") var duration: Int32 = 0
/// ```
///
/// - Parameters:
///   - storedName: The attribute's name in the model and the store, if it differs from the name in Swift. It must be a string
///     literal.
///   - options: The details.
@attached(peer)
public macro Attribute(_ storedName: String? = nil, _ options: AttributeOption...) =
    #externalMacro(module: "TypedObjectsMacros", type: "AttributeMacro")

/// Describes an attribute of an `@Entity` class in more detail than its type.
///
/// - Parameter options: The details.
@attached(peer)
public macro Attribute(_ options: AttributeOption...) =
    #externalMacro(module: "TypedObjectsMacros", type: "AttributeMacro")

/// Says more about an attribute of an `@Entity` class than its type can.
///
/// ```swift
/// @Attribute(.unique) var imdbID: String
/// @Attribute("length") var duration: Int32 = 0
/// ```
///
/// - Parameters:
///   - storedName: the attribute's name in the model and the store, if it is another one; a string literal.
///   - options: what else is to be said.
@attached(peer)
public macro Attribute(_ storedName: String? = nil, _ options: AttributeOption...) =
    #externalMacro(module: "TypedObjectsMacros", type: "AttributeMacro")

/// Says more about an attribute of an `@Entity` class than its type can.
///
/// - Parameter options: what is to be said.
@attached(peer)
public macro Attribute(_ options: AttributeOption...) =
    #externalMacro(module: "TypedObjectsMacros", type: "AttributeMacro")

/// Keeps a property of an `@Entity` class out of the entity. It stays a plain Swift property of the object in memory.
///
/// ```swift
/// @Ignored var poster: Poster?
/// ```
///
/// The property needs an initial value or an optional type. It is not saved, and its changes are not tracked or undone. It keeps
/// its value when the object turns into a fault.
@attached(peer)
public macro Ignored() = #externalMacro(module: "TypedObjectsMacros", type: "IgnoredMacro")

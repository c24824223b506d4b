/// Keeps a property of an `@Entity` class out of the entity: it stays a plain Swift property of the object in memory.
///
/// ```swift
/// @Ignored var poster: Poster?
/// ```
///
/// It needs an initial value or an optional type, is not saved, not tracked and not undone, and stays as it is when the object
/// turns into a fault.
@attached(peer)
public macro Ignored() = #externalMacro(module: "TypedObjectsMacros", type: "IgnoredMacro")

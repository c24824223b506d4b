import ObjectGraph

/// Makes a class the strongly typed form of an entity.
///
/// Every stored `var` of the class becomes a property of the entity. The Swift types describe the model:
///
/// ```swift
/// @Entity final class Movie: NSManagedObject {
///     @Attribute(.unique) private(set) var imdbID: String   // read-only outside
///     var title: String                                     // required: reading it never yields an invented value
///     var userRating: Double?                               // nil is no rating, and not zero
///     @Attribute("length") var duration: Int32 = 0          // stored under another name
///     var genre: Genre = .drama                             // any RawRepresentable
///     var director: Director                                // required to-one relationship
///     var scenes: [Scene]                                   // ordered to-many relationship; Set<Scene> for an unordered one
///     @Ignored var poster: Poster?                          // a plain Swift property
/// }
///
/// let movie = Movie(context: context, imdbID: "tt0089881", title: "Ran", director: kurosawa)
/// ```
///
/// The macro writes the accessors, the key paths behind `Movie.keys`, the conformance to `TypedObject`, and the schema with which
/// `NSPersistentContainer(name:entities:)` builds or checks a model.
///
/// It also writes an initializer. Its first arguments are the required values. The values that have a default follow. An optional
/// or defaulted property that is less visible than the class is not an argument. A subclass inherits the initializer, and has
/// another one for the properties that it declares itself. Set the properties that the initializer does not take afterwards.
///
/// If the initial value is known to be constant, such as a literal, `.drama` or `Decimal(5)`, it is the model's default for the
/// attribute. Any other initial value, such as `Date()`, `UUID()` or `.now`, is computed for each new object.
///
/// The macro does not change computed, static, lazy and weak properties. As with every managed object, read and write properties
/// on the context's queue.
///
/// - Parameters:
///   - name: The name of the entity in the model and the store, if it differs from the name of the class. It must be a string
///     literal.
///   - isAbstract: Whether the entity is abstract, so that only subclasses have objects.
///   - originalName: The name of the entity in an older version of the model, by which a migration finds it.
///   - hashModifier: A text that is part of the version hash. Change it if only the meaning of the entity has changed.
///   - userInfo: The user info of the entity in the model.
@attached(memberAttribute)
@attached(
    member, conformances: TypedObject,
    names: named(_typedSlotBase), named(_typedSlotCount), named(_typedSchema), named(_typedKeyPaths), named(init))
@attached(extension, conformances: TypedObject)
public macro Entity(
    _ name: String? = nil, isAbstract: Bool = false, originalName: String? = nil, hashModifier: String? = nil,
    userInfo: [String: String] = [:]
) = #externalMacro(module: "TypedObjectsMacros", type: "EntityMacro")

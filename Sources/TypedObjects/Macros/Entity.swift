import ObjectGraph

/// Makes a class the strongly typed form of an entity.
///
/// Every stored `var` of the class becomes a property of the entity. Its Swift type says everything a model has to know:
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
/// The macro writes the accessors, the schema that `NSPersistentContainer(name:entities:)` builds or checks a model with, the key
/// paths behind `Movie.keys`, the conformance to `TypedObject`, and an initializer that takes the required values first and then
/// everything that has a default. Properties that are less visible than the class and not required are no arguments of it. A
/// subclass inherits the initializer, and has another for what it declares itself: what the one does not take is set afterwards.
///
/// An initial value that is surely constant (a literal, `.drama`, `Decimal(5)`) is the model's default for the attribute. Any
/// other (`Date()`, `UUID()`, `.now`) is computed for each new object.
///
/// Computed, static, lazy and weak properties are left alone. Reading and writing follow the rules of the context's queue, as
/// with every managed object.
///
/// - Parameters:
///   - name: the name of the entity in the model and the store, if it is not the class's; a string literal.
///   - isAbstract: whether there can be only objects of subclasses.
///   - originalName: the name that the entity had in an older version of the model: migration finds it by that.
///   - hashModifier: a text that is part of the version hash: change it when the meaning of the entity changed and nothing else
///     did.
///   - userInfo: what else is to be noted in the model.
@attached(memberAttribute)
@attached(
    member, conformances: TypedObject,
    names: named(_typedSlotBase), named(_typedSlotCount), named(_typedSchema), named(_typedKeyPaths), named(init))
@attached(extension, conformances: TypedObject)
public macro Entity(
    _ name: String? = nil, isAbstract: Bool = false, originalName: String? = nil, hashModifier: String? = nil,
    userInfo: [String: String] = [:]
) = #externalMacro(module: "TypedObjectsMacros", type: "EntityMacro")

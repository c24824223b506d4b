/// Makes an actor run on the queue of a managed object context, so that its code can use the context and its objects directly.
///
/// ```swift
/// @ManagedActor actor Library {
///     func add(_ title: String, by director: ManagedObjectID<Director>) throws -> ManagedObjectID<Movie> {
///         let movie = Movie(context: context, imdbID: title, title: title, director: try self[director])
///         try context.save()
///         return movie.typedID
///     }
/// }
///
/// let library = Library(container: container)
/// let id = try await library.add("Ran", by: kurosawa)
/// ```
///
/// Arguments and results of the actor's methods must be `Sendable`, so they are references and values, and not managed objects.
/// The compiler checks that. Pending changes are processed, and told to observers, whenever the actor's code awaits something or
/// returns. No thread of the cooperative pool waits for the context's queue, so actors can call each other freely.
///
/// The macro writes `managedObjectContext`, the executor, the conformance to ``ManagedObjectActor``, and, unless the actor has an
/// initializer of its own, `init(context:)` and `init(container:)`. The latter makes a background context.
@attached(member, names: named(managedObjectContext), named(unownedExecutor), named(init))
@attached(extension, conformances: ManagedObjectActor)
public macro ManagedActor() = #externalMacro(module: "TypedObjectsMacros", type: "ManagedActorMacro")

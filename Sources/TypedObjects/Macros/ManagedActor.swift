/// Lets an actor run on the queue of a managed object context, so that its code uses the context and its objects directly.
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
/// What goes in and out of the actor is `Sendable`: references and values, not managed objects; the compiler sees to it. Pending
/// changes are processed, and observers told, whenever the actor's code waits for something or returns. Work is only ever put
/// into the context's queue: no thread of the cooperative pool waits for it, so actors can call each other as they like.
///
/// The macro writes `managedObjectContext`, the executor, the conformance to ``ManagedObjectActor``, and, unless the actor has an
/// initializer of its own, `init(context:)` and `init(container:)`, which makes a background context.
@attached(member, names: named(managedObjectContext), named(unownedExecutor), named(init))
@attached(extension, conformances: ManagedObjectActor)
public macro ManagedActor() = #externalMacro(module: "TypedObjectsMacros", type: "ManagedActorMacro")

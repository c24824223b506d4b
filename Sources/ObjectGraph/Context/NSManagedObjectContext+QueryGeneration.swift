import DataModel
import Foundation

extension NSManagedObjectContext {
    /// The state of the stores that the context reads; nil if it always reads the newest one, which is the default.
    ///
    /// Give it to another context of the same coordinator, so that both read the same state.
    public final var queryGenerationToken: NSQueryGenerationToken? {
        guard let generation = moment.generation, generation.hasEffect else { return nil }
        return NSQueryGenerationToken(generation)
    }

    /// Makes the context read one state of the stores from now on, even if others save or delete.
    ///
    /// With ``NSQueryGenerationToken/current`` the state is the one at the context's next fetch, or next reading of
    /// values or members. The context moves on to the newest state with each ``save()``, ``reset()``,
    /// ``refreshAllObjects()`` and merging of changes. Objects that are loaded keep their values; refresh them to get
    /// those of the state. A save finds conflicts with what others have saved meanwhile, as always. A store that is
    /// added later is not read until the context moves on.
    ///
    /// States are kept by SQLite stores in a file with a write-ahead log, as new stores are. With other stores this
    /// method has no effect, and ``queryGenerationToken`` stays nil. A kept state keeps the log from being emptied: it
    /// grows with each save.
    ///
    /// - Parameter generation: `current`; the token of another context of the same coordinator, to read the same state;
    ///   or nil to read always the newest state.
    /// - Throws: 134060 for a child context, which reads from its parent, for a context without coordinator, and for a
    ///   token of another coordinator. After an error the context reads what it read before.
    public final func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
        checkQueue()
        guard let generation else {
            moment.generation = nil
            return
        }
        func refusal(_ reason: String) -> NSError {
            .coreData(NSCoreDataError, "The query generation of \(self) can't be set: \(reason)")
        }
        guard parent == nil else { throw refusal("it is a child context, which reads from its parent; set that of its parent") }
        guard let coordinator = persistentStoreCoordinator else { throw refusal("it has no persistentStoreCoordinator") }
        guard let known = generation.generation else {
            moment.generation = QueryGeneration(coordinator)
            return
        }
        guard known.isOf(coordinator) else { throw refusal("the token belongs to another persistentStoreCoordinator") }
        moment.generation = known
    }

    /// The state to read; nil for the newest.
    final var generationToRead: QueryGeneration? { moment.readsNewest ? nil : moment.generation }

    /// Moves a context that reads one state on to the newest one, from its next reading on.
    final func advanceQueryGeneration() {
        guard moment.generation != nil, let coordinator = persistentStoreCoordinator else { return }
        moment.generation = QueryGeneration(coordinator)
    }
}

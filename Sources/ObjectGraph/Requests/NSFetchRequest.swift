import DataModel
import Foundation
import Predicates

/// Asks for the objects of an entity: which ones, in which order, how many.
///
/// The store answers predicates and sort descriptors; objects with unsaved changes are tested in memory by the same rules. Evaluated in memory, over the objects that
/// the rest of the predicate leaves, is what only memory can: `NSPredicate(block:)`, functions of your own, indexes such as `[FIRST]`, the contents of transformable
/// attributes, quotients of decimals; and sorting by a comparator. With stores in memory everything is.
///
/// A predicate or sort descriptor with a mistake (a property that the entity does not have, or that is transient; a to-many relationship without `ANY`; a text
/// where a number is needed) makes the fetch throw 134060 before the store is asked. Under `NSUnderlyingErrorKey` the error has an ``InvalidPredicateError``.
///
/// A request belongs to one thread at a time.
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
    private var storedEntity: NSEntityDescription?
    private var storedName: String?

    /// Makes a request without entity.
    public override init() { super.init() }

    /// Makes a request for an entity by its name, which is looked up in the context's model when the request is executed.
    public convenience init(entityName: String) {
        self.init()
        storedName = entityName
    }

    /// The entity; nil while only its name is known.
    public final var entity: NSEntityDescription? {
        get { storedEntity }
        set {
            storedEntity = newValue
            storedName = newValue?.name
        }
    }

    /// The name of the entity.
    public final var entityName: String? { storedName }

    /// Which objects; nil for all.
    public final var predicate: NSPredicate?
    /// In which order; without it the order is not specified.
    public final var sortDescriptors: [NSSortDescriptor]?
    /// At most how many; 0, the default, for all.
    public final var fetchLimit = 0
    /// How many of the first to leave out.
    public final var fetchOffset = 0
    /// What the result holds. The request's type parameter has to fit.
    public final var resultType: NSFetchRequestResultType = .managedObjectResultType
    /// Whether objects of subentities count too. True by default.
    public final var includesSubentities = true
    /// Whether the context's unsaved changes count: new objects are found, deleted ones are not. True by default.
    public final var includesPendingChanges = true
    /// Whether new objects in the result are faults, whose values are at hand without a further look into the store. True by default.
    public final var returnsObjectsAsFaults = true
    /// Whether the values of new objects are read with them. True by default; with false only the objects are known, and the first value asked for
    /// loads those of the next hundred objects of the result as well.
    public final var includesPropertyValues = true
}

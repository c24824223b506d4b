import CoreData

enum RepositoryError: Error {
    case invalidManagedObjectType
}

protocol Repository {
    associatedtype Entity
    func get(predicate: NSPredicate?, sortDescriptors: [NSSortDescriptor]?) -> Result<[Entity], Error>
    func create() -> Result<Entity, Error>
    func delete(entity: Entity) -> Result<Bool, Error>
}

/// Stores of one class, whatever it is.
class CoreDataRepository<T: NSManagedObject>: Repository {
    typealias Entity = T

    private let managedObjectContext: NSManagedObjectContext

    init(managedObjectContext: NSManagedObjectContext) {
        self.managedObjectContext = managedObjectContext
    }

    func get(predicate: NSPredicate?, sortDescriptors: [NSSortDescriptor]?) -> Result<[Entity], Error> {
        let fetchRequest = Entity.fetchRequest()
        fetchRequest.predicate = predicate
        fetchRequest.sortDescriptors = sortDescriptors
        do {
            if let fetchResults = try managedObjectContext.fetch(fetchRequest) as? [Entity] {
                return .success(fetchResults)
            } else {
                return .failure(RepositoryError.invalidManagedObjectType)
            }
        } catch {
            return .failure(error)
        }
    }

    func create() -> Result<Entity, Error> {
        let className = String(describing: Entity.self)
        guard
            let managedObject = NSEntityDescription.insertNewObject(forEntityName: className, into: managedObjectContext)
                as? Entity
        else {
            return .failure(RepositoryError.invalidManagedObjectType)
        }
        return .success(managedObject)
    }

    /// The shorter way, since there are initializers that take a context.
    func make(_ configure: (T) -> Void) -> T {
        let object = T(context: managedObjectContext)
        configure(object)
        return object
    }

    func delete(entity: Entity) -> Result<Bool, Error> {
        managedObjectContext.delete(entity)
        return .success(true)
    }
}

/// Changes that are saved or given up together.
class UnitOfWork {
    private let context: NSManagedObjectContext
    let books: CoreDataRepository<Book>

    init(context: NSManagedObjectContext) {
        self.context = context
        self.books = CoreDataRepository<Book>(managedObjectContext: context)
    }

    @discardableResult func saveChanges() -> Result<Bool, Error> {
        do {
            try context.save()
            return .success(true)
        } catch {
            context.rollback()
            return .failure(error)
        }
    }
}

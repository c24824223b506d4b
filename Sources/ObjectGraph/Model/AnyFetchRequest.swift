import DataModel

/// A fetch request of any result type.
protocol AnyFetchRequest: NSPersistentStoreRequest {
    var settings: FetchSettings { get set }
}

extension NSFetchRequest: AnyFetchRequest {}

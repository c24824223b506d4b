import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

/// A store with a history, and what reads it.
struct HistoryFixture {
    let folder: TemporaryFolder
    let coordinator: NSPersistentStoreCoordinator
    let store: NSPersistentStore
    let context: NSManagedObjectContext

    static let model: NSManagedObjectModel = {
        var maker = ModelMaker()
        let number = ModelMaker.attribute("number", .string)
        number.preservesValueInHistoryOnDeletion = true
        let born = ModelMaker.attribute("born", .date)
        born.preservesValueInHistoryOnDeletion = true
        maker.entity("Person", [ModelMaker.attribute("name", .string), ModelMaker.attribute("age", .integer64), number, born])
        maker.entity("Friend", parent: "Person", [ModelMaker.attribute("since", .date)])
        maker.entity("Team", [ModelMaker.attribute("name", .string)])
        maker.relate("Person", "team", .one, "Team", "members", .many)
        return maker.model()
    }()

    init(_ folder: TemporaryFolder? = nil, tracks: Bool = true, model: NSManagedObjectModel = Self.model) throws {
        self.folder = try folder ?? TemporaryFolder()
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: self.folder.file("store.sqlite"),
            options: tracks ? [NSPersistentHistoryTrackingKey: true] : nil)
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
    }

    @discardableResult
    func run<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result { try context.run(body) }

    /// Saves one person, in a transaction of its own.
    func save(_ name: String, author: String? = nil) throws {
        try run { context in
            context.transactionAuthor = author
            context.make("Person", ["name": name])
            try context.save()
        }
    }

    func result(_ request: NSPersistentHistoryChangeRequest, _ type: NSPersistentHistoryResultType? = nil) throws -> Any? {
        if let type { request.resultType = type }
        return try run { try ($0.execute(request) as? NSPersistentHistoryResult)?.result }
    }

    func transactions(_ request: NSPersistentHistoryChangeRequest = .fetchHistory(after: nil as NSPersistentHistoryToken?)) throws
        -> [NSPersistentHistoryTransaction]
    { try result(request) as? [NSPersistentHistoryTransaction] ?? [] }

    var authors: [String?] {
        get throws { try transactions().map(\.author) }
    }
}

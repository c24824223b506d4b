import Foundation
import OpenCoreData
import OpenCoreDataTestSupport
import Testing

@Suite("The statements that a block sends to the store") @MainActor
struct StoreStatementTests {
    private func films(_ place: IsolatedStack.Place = .memory, count: Int) throws -> IsolatedStack {
        let stack = try IsolatedStack(model: NSManagedObjectModel(entities: filmClasses), in: place)
        for index in 0..<count {
            let director = Director(context: stack.viewContext, name: "\(index)")
            _ = Film(context: stack.viewContext, code: "\(index)", title: "Film \(index)", director: director)
        }
        try stack.viewContext.save()
        stack.viewContext.reset()
        return stack
    }

    private func selects(_ statements: [StoreStatement]) -> [String] { statements.filter { $0.kind == .select }.map(\.sql) }

    @Test("A fetch is one query of one table, and what it has read is not read again")
    func fetch() throws {
        let stack = try films(count: 3)
        var films: [Film] = []
        var titles: [String] = []
        let statements = try recordStatements(in: stack.viewContext) { films = try stack.viewContext.fetch(Film.self) }
        #expect(films.count == 3 && selects(statements).count == 1)
        #expect(selects(statements).first?.contains("ZFILM") == true)
        let again = try recordStatements(in: stack.viewContext) { titles = films.map(\.title) }
        #expect(again == [] && titles.sorted() == ["Film 0", "Film 1", "Film 2"])
    }

    @Test("Prefetching is one query for all directors, whose names then cost none")
    func prefetching() throws {
        let stack = try films(count: 5)
        var films: [Film] = []
        let statements = try recordStatements(in: stack.viewContext) {
            let request = Film.fetchRequest()
            request.relationshipKeyPathsForPrefetching = ["director"]
            films = try stack.viewContext.fetch(request)
        }
        #expect(selects(statements).map { $0.contains("ZDIRECTOR t") } == [false, true], "\(statements)")
        var names: Set<String> = []
        #expect(try recordStatements(in: stack.viewContext) { names = Set(films.map(\.director.name)) } == [])
        #expect(names.count == 5)
    }

    @Test("A save is one transaction, which writes the columns that changed and no others")
    func save() throws {
        let stack = try films(count: 2)
        let context = stack.viewContext
        let films = try context.fetch(Film.self, sortedBy: [SortDescriptor(\.code)])
        let statements = try recordStatements(in: context) {
            films[0].minutes += 1
            _ = Tag(context: context, text: "new")
            try context.save()
        }
        let updates = statements.filter { $0.kind == .update && $0.sql.hasPrefix("UPDATE ZFILM SET") }.map(\.sql)
        #expect(updates.count == 1 && updates.first?.contains("ZMINUTES = ") == true, "\(updates)")
        #expect(updates.first?.contains("ZTITLE") == false)
        #expect(statements.contains { $0.kind == .insert && $0.sql.contains("ZTAG") })
        #expect(
            statements.filter { $0.kind == .transaction }.count == 2 && statements.first?.kind == .transaction, "\(statements)")
        context.delete(films[0])
        let deletion = try recordStatements(in: context) { try context.save() }
        #expect(deletion.contains { $0.kind == .delete && $0.sql.contains("ZFILM") })
    }

    @Test("After the block nothing is recorded; recordings may be nested; other stacks are not heard")
    func end() async throws {
        let (stack, other) = (try films(count: 1), try films(count: 1))
        var inner: [StoreStatement] = []
        let outer = try recordStatements(in: stack.viewContext) {
            inner = try recordStatements(in: stack.viewContext) { _ = try stack.viewContext.count(of: Film.self) }
            _ = try stack.viewContext.count(of: Tag.self)
            _ = try other.viewContext.count(of: Film.self)
        }
        #expect(selects(inner).count == 1 && selects(outer).count == 2)
        #expect(throws: CocoaError.self) {
            _ = try recordStatements(in: stack.viewContext) { throw CocoaError(.fileNoSuchFile) }
        }
        _ = try stack.viewContext.count(of: Film.self)
        #expect(try recordStatements(in: stack.viewContext) {} == [])
    }

    @Test("What a block awaits, a pinned generation and a child context count")
    func contexts() async throws {
        let stack = try films(.temporaryFile, count: 2)
        let background = stack.newBackgroundContext()
        let statements = try await recordStatements(in: stack.viewContext) {
            _ = try await background.perform { try background.count(of: Film.self) }
        }
        #expect(selects(statements).count == 1)

        let pinned = stack.newBackgroundContext()
        try pinned.setQueryGenerationFrom(.current)
        try pinned.performAndWait { _ = try pinned.count(of: Tag.self) }
        let snapshot = try recordStatements(in: pinned) { try pinned.performAndWait { _ = try pinned.count(of: Film.self) } }
        #expect(selects(snapshot).count == 1, "\(snapshot)")
        #expect(try recordStatements(in: pinned) {} == [])

        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = stack.viewContext
        #expect(selects(try recordStatements(in: child) { _ = try child.fetch(Film.self) }).count == 1)
    }

    @Test("A store that sends no statements is an error, so that no test passes because of it")
    func memoryType() throws {
        let container = NSPersistentContainer(name: "Films", managedObjectModel: try NSManagedObjectModel(entities: filmClasses))
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        try container.loadPersistentStores()
        let error = #expect(throws: TestSupportError.self) { _ = try recordStatements(in: container.viewContext) {} }
        #expect(error?.description.hasPrefix("The context has no store that sends statements.") == true)
    }
}

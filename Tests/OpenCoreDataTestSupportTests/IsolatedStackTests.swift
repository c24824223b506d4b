import Foundation
import OpenCoreData
import OpenCoreDataTestSupport
import Testing

@Suite("Isolated stacks") @MainActor
struct IsolatedStackTests {
    private func films(_ place: IsolatedStack.Place) throws -> IsolatedStack {
        try IsolatedStack(model: NSManagedObjectModel(entities: filmClasses), in: place)
    }

    @Test("Two stacks share nothing", arguments: [IsolatedStack.Place.memory, .temporaryFile])
    func isolation(place: IsolatedStack.Place) throws {
        let (first, second) = (try films(place), try films(place))
        _ = Tag(context: first.viewContext, text: "one")
        try first.viewContext.save()
        #expect(try first.newBackgroundContext().count(of: Tag.self) == 1)
        #expect(try second.viewContext.count(of: Tag.self) == 0)
    }

    @Test("A stack from classes has their entities; a store in memory has no file and is not opened twice")
    func memory() throws {
        let stack = try IsolatedStack(entities: Director.self, Film.self, Poster.self, Tag.self)
        #expect(stack.container.managedObjectModel.entities.count == 4 && stack.storeURL == nil)
        let error = #expect(throws: TestSupportError.self) { try stack.reopen() }
        #expect(error?.description == "A store in memory can't be opened twice. Make the stack with `in: .temporaryFile`.")
    }

    @Test("A file is read by another container, and goes with the stack; so does its folder")
    func files() throws {
        var stack: IsolatedStack? = try films(.temporaryFile)
        let url = try #require(stack?.storeURL)
        let folder = url.deletingLastPathComponent().path
        try {
            let context = try #require(stack?.viewContext)
            _ = Tag(context: context, text: "kept")
            try context.save()
            let other = try #require(try stack?.reopen())
            #expect(try other.viewContext.fetch(Tag.self).map(\.text) == ["kept"])
        }()
        #expect(FileManager.default.fileExists(atPath: url.path))
        stack = nil
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("After closing, nothing is saved to nowhere: the context says so")
    func closing() throws {
        let stack = try films(.temporaryFile)
        let folder = try #require(stack.storeURL?.deletingLastPathComponent().path)
        try stack.close()
        try stack.close()
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(stack.container.persistentStoreCoordinator.persistentStores.isEmpty)
        _ = Tag(context: stack.viewContext, text: "lost")
        #expect(throws: CocoaError.self) { try stack.viewContext.save() }
    }

    @Test("A model that can't be used is an error")
    func model() {
        #expect(throws: (any Error).self) { try IsolatedStack(entities: Film.self) }
    }
}

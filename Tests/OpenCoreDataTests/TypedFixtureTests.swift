import OpenCoreData
import TestSupport
import Testing

@Entity("BookmarkEntity") final class Bookmark: NSManagedObject {
    var uuid: String?
    var title: String?
    var isFolder: Bool
    var isPendingDeletion: Bool
    var parent: Bookmark?
    @Relationship(inverse: \Bookmark.parent) var children: [Bookmark]
    @Relationship(inverse: \Bookmark.favoriteFolders) var favorites: [Bookmark]
    var favoriteFolders: Set<Bookmark>
}

@Suite("Typed classes over a store and a model that Apple's tools wrote", .enabled(if: Fixtures.hasOracles))
struct TypedFixtureTests {
    @Test("Opened, changed, observed with strong types, and back in the file in Apple's layout")
    func wholePath() throws {
        let folders = (before: try TemporaryFolder(), after: try TemporaryFolder())
        let store = try StoreCase.named("ddg-bookmarks-v5")
        let source = try #require(store.fixture.sourceModel)
        let before = try folders.before.copyStore(store.fixture.store)
        let after = try folders.after.copyStore(store.fixture.store)

        // As an app does it; only the compiled model has become the source one.
        let model = try #require(NSManagedObjectModel(contentsOf: source))
        let container = try NSPersistentContainer(name: "Bookmarks", managedObjectModel: model, entities: Bookmark.self)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: after)]
        container.loadPersistentStores { description, error in
            #expect(description.url == after)
            #expect(error == nil)
        }
        try container.newBackgroundContext().run { context in
            var log: [String] = []
            let observation = context.observe(Bookmark.self) { changes in
                log += changes.inserted.map { "+\($0.title ?? "")" }.sorted()
                log += changes.updated.map { "~\($0.title ?? "")" }.sorted()
                log += changes.deleted.map { "-\($0.title ?? "")" }.sorted()
            }
            let root = try #require(try context.fetch(Bookmark.self, where: #Predicate { $0.uuid == "bookmarks_root" }).first)
            #expect(root.isFolder && root.parent == nil)
            #expect(root.children.map(\.title) == ["1", "2", "3", "4", "5"])
            #expect(root.children[2].children.map(\.title) == ["31", "32", "33"])
            let favorites = try #require(
                try context.fetch(Bookmark.self, where: #Predicate { $0.title == "favorites_root" }).first)
            #expect(favorites.favorites.map(\.title) == ["5", "4", "33", "32", "2"])
            #expect(favorites.favorites.allSatisfy { $0.favoriteFolders == [favorites] })

            let new = Bookmark(context: context, isFolder: false, isPendingDeletion: false)
            new.title = "new"
            new.uuid = UUID().uuidString
            root.children.insert(new, at: 1)
            #expect(new.parent === root)
            favorites.favorites.removeFirst()
            favorites.favorites.append(new)
            root.children[0].title = "one"
            context.delete(root.children[3])
            try context.save()
            #expect(log.first == "+new")
            #expect(
                log.contains("~one") && log.contains("~bookmarks_root") && log.contains("~favorites_root") && log.contains("~5"))
            #expect(log.filter { $0.hasPrefix("-") } == ["-3", "-31", "-32", "-33"])
            observation.cancel()
        }
        try Reels.close(container)

        var oracle = StoreOracle()
        oracle.expectRoundtrip(before, after, saves: 1)
        oracle.verify(after)
        let plain = try store.model()
        let contents = try StoreContents(oracle.dump(after), plain)
        let session = try StoreSession(after, plain)
        expectSame(try session.contents(), contents)
        try session.close()
        func titles(_ owner: String, _ relationship: String) throws -> [String] {
            func title(_ object: StoreContents.Object?) -> String {
                object?.attributes["title"].map { "\($0)".trimmingCharacters(in: ["\""]) } ?? "?"
            }
            let found = try #require(contents.objects.values.first { title($0) == owner })
            return (found.relationships[relationship] ?? []).map { title(contents.objects[$0]) }
        }
        #expect(try titles("bookmarks_root", "children") == ["one", "new", "2", "4", "5"])
        #expect(try titles("favorites_root", "favorites") == ["4", "2", "new"])
        #expect(try titles("new", "parent") == ["bookmarks_root"])
    }
}

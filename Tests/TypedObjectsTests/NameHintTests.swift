import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite("Messages about names say what was meant")
struct NameHintTests {
    @Test("R84: the Swift name of a property that is stored under another name is told apart from any other mistake")
    func swiftNames() async throws {
        let folder = try TemporaryFolder()
        let hint = "“duration” is stored as “length”: write that"
        for store in [try TestStore.cinema(), try TestStore.cinema(at: folder.file("cinema.sqlite"))] {
            try store.run { context in
                let director = Director(context: context, name: "Kurosawa")
                _ = Movie(context: context, imdbID: "1", title: "Ran", director: director)
                func message(_ change: (NSFetchRequest<any NSFetchRequestResult>) -> Void) -> String {
                    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Movie")
                    change(request)
                    let error = #expect(throws: NSError.self) { _ = try context.fetch(request) }
                    return error?.localizedDescription ?? ""
                }
                #expect(message { $0.predicate = NSPredicate(format: "duration > 3") }.contains(hint))
                #expect(message { $0.sortDescriptors = [NSSortDescriptor(key: "duration", ascending: true)] }.contains(hint))
                #expect(message { $0.propertiesToFetch = ["duration"] }.contains(hint))
                #expect(
                    message {
                        $0.resultType = .dictionaryResultType
                        $0.propertiesToFetch = ["duration"]
                    }.contains(hint))
                #expect(!message { $0.predicate = NSPredicate(format: "durations > 3") }.contains("is stored as"))
            }
        }
        let error = #expect(throws: NSError.self) {
            try TestStore.cinema().run { context in
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Director")
                request.predicate = NSPredicate(format: "ANY movies.duration > 3")
                _ = try context.fetch(request)
            }
        }
        #expect(error?.localizedDescription.contains(hint) == true)
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStore.cinema().run { context in
                let movie = Movie(context: context, imdbID: "1", title: "Ran", director: Director(context: context, name: "K"))
                print(movie.value(forKey: "duration") ?? "")
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(hint) && text.contains("It has: "))
    }

    @Test("R84: an entity's name that is almost right suggests the right one", arguments: ["Movies", "movie", "Moive"])
    func entityNames(name: String) throws {
        try TestStore.cinema().run { context in
            for type: NSFetchRequestResultType in [.managedObjectResultType, .dictionaryResultType, .countResultType] {
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: name)
                request.resultType = type
                let error = #expect(throws: NSError.self) { _ = try context.fetch(request) }
                #expect(error?.localizedDescription.hasSuffix("“\(name)” in the model. Did you mean “Movie”?") == true)
            }
            let error = #expect(throws: NSError.self) { _ = try context.execute(NSBatchUpdateRequest(entityName: name)) }
            #expect(error?.localizedDescription.contains("Did you mean “Movie”?") == true)
            let other = #expect(throws: NSError.self) {
                _ = try context.fetch(NSFetchRequest<any NSFetchRequestResult>(entityName: "Television"))
            }
            #expect(other?.localizedDescription.contains("Did you mean") == false)
        }
    }
}

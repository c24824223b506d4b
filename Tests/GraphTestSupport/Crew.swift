import DataModel
import Foundation
package import ObjectGraph
import Predicates
import Testing

/// The people of `People` for fetches: three teams, some desks, bosses, friends, tasks and songs, all saved.
package enum Crew {
    package static let names = ["ann", "bob", "cid", "dan", "eve", "fay"]

    package static func stack(_ kind: StackKind) throws -> TestStack {
        let stack = try TestStack.people(kind)
        try stack.run(fill)
        return stack
    }

    /// ann and bob are red, cid and dan blue, eve green, fay in no team; each works for the one before.
    package static func fill(_ context: NSManagedObjectContext) throws {
        let teams = ["red", "blue", "green"].map { context.make("Team", ["name": $0]) }
        let songs = ["x", "y", "z"].map { context.make("Song", ["name": $0]) }
        var people: [Recorder] = []
        for (index, name) in names.enumerated() {
            let person = context.make("Person", ["name": name, "age": 20 + index, "score": Double(index) / 2])
            person.set("team", index < 5 ? teams[index / 2] : nil)
            person.set("boss", people.last)
            person.set("friends", Set(people.prefix(2)))
            person.set(
                "tasks", NSOrderedSet(array: (0..<index).reversed().map { context.make("Task", ["name": "\(name)\($0)"]) }))
            person.set("playlist", NSOrderedSet(array: Array(songs.reversed().prefix(index))))
            person.set("badges", Set((0..<index % 3).map { context.make("Badge", ["name": "\(name)\($0)"]) }))
            people.append(person)
        }
        try context.save()
    }
}

extension NSFetchRequest {
    /// A request sorted by keys, those with a leading minus sign descending.
    package static func sorted(_ entity: String, _ keys: String..., where format: String? = nil) -> NSFetchRequest<ResultType> {
        let request = NSFetchRequest<ResultType>(entityName: entity)
        request.sortDescriptors = keys.map {
            NSSortDescriptor(key: $0.hasPrefix("-") ? String($0.dropFirst()) : $0, ascending: !$0.hasPrefix("-"))
        }
        request.predicate = format.map { NSPredicate(format: $0) }
        return request
    }
}

import DataModel
package import Foundation
package import ObjectGraph
import Predicates
import Storage
import Testing

/// Five people with everything that predicates ask for.
///
/// | name | age | score | price | flag | born | team | boss | skills | tasks |
/// | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
/// | Anna | 30 | 1.5 | 10.11 | true | 0 | red | | sql, swift | one, two |
/// | bert | 20 | 2.25 | 3 | false | 1000.5 | red | Anna | sql | |
/// | Émile | 40 | | | | | blue | Anna | | three |
/// | (none) | 10 | -1 | 0.1 | true | -5 | | bert | c | |
/// | Zoe, a Manager | 50 | 100 | 7 | false | 2000 | blue | | c, sql, swift | |
package enum Staff {
    package static func stack(_ kind: StackKind) throws -> TestStack {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let teams = ["red", "blue"].map { context.make("Team", ["name": $0]) }
            let skills = ["c", "sql", "swift"].map { context.make("Skill", ["name": $0]) }
            let anna = context.make(
                "Person",
                [
                    "name": "Anna", "age": 30, "score": 1.5, "price": Decimal(string: "10.11"), "flag": true,
                    "born": Date(timeIntervalSinceReferenceDate: 0), "code": code,
                    "page": URL(string: "https://example.org/anna"),
                    "photo": Data([1, 2]), "team": teams[0], "skills": Set(skills[1...]), "small": 6,
                ])
            let bert = context.make(
                "Person",
                [
                    "name": "bert", "age": 20, "score": 2.25, "price": Decimal(3), "flag": false,
                    "born": Date(timeIntervalSinceReferenceDate: 1000.5), "team": teams[0], "boss": anna,
                    "skills": Set([skills[1]]), "small": 3,
                ])
            let emile = context.make("Person", ["name": "Émile", "age": 40, "team": teams[1], "boss": anna, "small": 5])
            context.make(
                "Person",
                [
                    "age": 10, "score": -1, "price": Decimal(string: "0.1"), "flag": true,
                    "born": Date(timeIntervalSinceReferenceDate: -5), "boss": bert, "skills": Set([skills[0]]),
                ])
            context.make(
                "Manager",
                [
                    "name": "Zoe", "age": 50, "score": 100, "price": Decimal(7), "flag": false, "level": 3,
                    "born": Date(timeIntervalSinceReferenceDate: 2000), "team": teams[1], "skills": Set(skills),
                    "office": context.make("Desk", ["name": "corner"]),
                ])
            for (name, worker) in [("one", anna), ("two", anna), ("three", emile)] {
                context.make("Task", ["name": name, "worker": worker])
            }
            try context.save()
        }
        return stack
    }

    package static let code = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    /// The people that a predicate finds, the nameless one as "-", in alphabetical order.
    package static func found(_ predicate: NSPredicate, _ context: NSManagedObjectContext, _ entity: String = "Person") throws
        -> [String]
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        let found = try context.fetch(request)
        #expect(try context.count(for: request) == found.count)
        return found.map { $0.text("name") ?? "-" }.sorted()
    }
}

import DataModel
import Foundation
import FoundationGaps
import GraphTestSupport
import ObjectGraph
import Predicates
import Testing

@Suite("Mistakes in predicates and sort orders of fetches")
struct QueryErrorTests {
    private static func failure(_ predicate: NSPredicate, _ context: NSManagedObjectContext, _ entity: String = "Person")
        -> NSError?
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        let error = #expect(throws: NSError.self, "\(predicate)") { try context.fetch(request) }
        #expect(throws: NSError.self, "\(predicate)") { try context.count(for: request) }
        return error
    }

    /// Formats, and words that the error has to have.
    private static let mistakes: [(format: String, words: [String])] = [
        ("nam == 'x'", ["nam", "Person", "Did you mean \"name\"?"]), ("team.nam == 'x'", ["nam", "Team", "\"name\""]),
        ("anme == 'x'", ["Did you mean \"name\"?"]), ("pagse == 'x'", ["Did you mean \"page\"?"]),
        ("age > 3 OR team.x.y == 1", ["x", "Team"]), ("SUBQUERY(reports, $x, $x.agee > 3).@count > 0", ["agee", "age"]),
        ("ANY skills.nam == 'x'", ["nam", "Skill", "name"]), ("name.x == 1", ["x"]), ("reports.@count.x > 1", ["x"]),
        ("skills == 'x'", ["to-many key not allowed here", "skills"]), ("skills.name == 'x'", ["to-many", "ANY"]),
        ("skills.@count.x == 1", ["x"]), ("reports == nil", ["to-many"]), ("name IN {'x'} AND skills IN {'x'}", ["to-many"]),
        ("mood == 7", ["mood", "transient"]), ("boss.nick == 'x'", ["nick", "transient"]), ("level == 3", ["level", "Manager"]),
        ("ANY reports.level == 3", ["level", "Manager"]), ("name == 5.5", ["Person.name", "a text", "a number"]),
        ("age == 'x'", ["Person.age"]),
        ("age CONTAINS 'x'", ["CONTAINS", "Person.age"]), ("name > 3", ["no order"]), ("born > 3", ["CAST"]),
        ("code == 'x'", ["UUID"]),
        ("page == 'x'", ["URL"]), ("team == 'red'", ["Team", "a string"]), ("name + 1 == 2", ["number"]),
        ("lowercase:(age) == 'x'", ["text"]),
        ("ANY name == 'x'", ["ANY", "collection"]), ("ALL team.name == 'x'", ["ALL"]),
        ("SUBQUERY(team, $x, $x.name == 'a').@count > 0", ["SUBQUERY"]),
        ("name == $who", ["$who"]), ("team > boss", ["order"]),
        ("name.@count == 1", ["@count"]), ("age IN {1, 'x'}", ["Person.age"]), ("reports.@sum.name > 1", ["number"]),
        ("ANYKEY == 1", ["ANYKEY"]),
        ("age IN 5", ["IN"]),
    ]

    @Test(
        "PRD-127, PRD-128, PRD-131, PRD-141: a mistake is an error that says what, before the store is asked",
        arguments: StackKind.queried)
    func mistakes(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            for (format, words) in Self.mistakes {
                // In memory transient properties are as good as others.
                if [.inMemory, .xml].contains(kind), words.contains("transient") { continue }
                let error = Self.failure(try NSPredicate(validating: format), context)
                #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSCoreDataError, "\(format)")
                #expect(error?.userInfo[NSUnderlyingErrorKey] is InvalidPredicateError, "\(format)")
                let text = error?.localizedDescription ?? ""
                for word in words { #expect(text.contains(word), "\(format): \(text)") }
            }
        }
    }

    @Test("PRD-50: a pattern that is not a regular expression", arguments: StackKind.queried)
    func pattern(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let predicate = NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: "name"), rightExpression: NSExpression(forConstantValue: "["),
                modifier: .direct, type: .matches)
            #expect(Self.failure(predicate, context)?.localizedDescription.contains("regular expression") == true)
        }
    }

    @Test("A mistake beside a closure is found too", arguments: StackKind.queried)
    func besideClosure(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let parts = [NSPredicate { _, _ in true }, NSPredicate(format: "nam == 'x'")]
            #expect(
                Self.failure(NSCompoundPredicate(andPredicateWithSubpredicates: parts), context)?.localizedDescription.contains(
                    "nam") == true)
            #expect(
                Self.failure(NSCompoundPredicate(orPredicateWithSubpredicates: parts), context)?.localizedDescription.contains(
                    "nam") == true)
        }
    }

    @Test("Transient properties work with stores in memory", arguments: [StackKind.inMemory])
    func transients(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            context.make("Person", ["name": "a"])
            try context.save()
            #expect(try Staff.found(NSPredicate(format: "mood == 7"), context) == ["a"])
        }
    }

    @Test("FET-60, FET-64, FET-68, FET-69: sort orders that make no sense", arguments: StackKind.queried)
    func sorting(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            func failure(_ descriptor: NSSortDescriptor) -> String {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true), descriptor]
                let error = #expect(throws: NSError.self, "\(descriptor)") { try context.fetch(request) }
                #expect(error?.code == NSCoreDataError)
                return error?.localizedDescription ?? ""
            }
            #expect(failure(NSSortDescriptor(key: "skills", ascending: true)).contains("to-many key not allowed here"))
            #expect(failure(NSSortDescriptor(key: "team.members.name", ascending: true)).contains("to-many"))
            #expect(failure(NSSortDescriptor(key: "nam", ascending: true)).contains("Did you mean \"name\"?"))
            #expect(failure(NSSortDescriptor(key: "level", ascending: true)).contains("Manager"))
            #expect(
                failure(NSSortDescriptor(key: "name", ascending: true, selector: "localizedCompere:")).contains(
                    "localizedCompere:"))
            if kind == .sqlite { #expect(failure(NSSortDescriptor(key: "mood", ascending: true)).contains("transient")) }
        }
    }
}

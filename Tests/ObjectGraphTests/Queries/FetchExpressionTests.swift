import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import Testing

@Suite("Fetch requests in predicates")
struct FetchExpressionTests {
    private static func expression(
        _ request: NSPersistentStoreRequest, _ context: NSManagedObjectContext, countOnly: Bool = false
    ) -> NSExpression {
        NSFetchRequestExpression.expression(
            forFetch: NSExpression(forConstantValue: request), context: NSExpression(forConstantValue: context),
            countOnly: countOnly)
    }

    private static func names(_ context: NSManagedObjectContext, _ format: String, _ arguments: Any...) throws -> [String?] {
        let request = NSFetchRequest<Recorder>.sorted("Person", "name")
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        #expect(try context.count(for: request) == context.fetch(request).count)
        return try context.fetch(request).map { $0.text("name") }
    }

    @Test("API-161, PRD-64: objects, IDs, one column and a count as parts of a predicate", arguments: StackKind.queried)
    func forms(_ kind: StackKind) throws {
        try Crew.stack(kind).run { context throws in
            let teams = NSFetchRequest<Recorder>.sorted("Team", where: "name CONTAINS 'e'")
            teams.predicate = NSPredicate(format: "name IN {'red', 'green'}")
            #expect(try Self.names(context, "team IN %@", Self.expression(teams, context)) == ["ann", "bob", "eve"])
            #expect(try Self.names(context, "NOT team IN %@", Self.expression(teams, context)) == ["cid", "dan", "fay"])
            #expect(try Self.names(context, "%@ > 2", Self.expression(teams, context, countOnly: true)).isEmpty)
            #expect(try Self.names(context, "%@ == 2 AND age > 24", Self.expression(teams, context, countOnly: true)) == ["fay"])
            teams.resultType = .managedObjectIDResultType
            #expect(try Self.names(context, "FETCH(%@, %@, NO) CONTAINS team", teams, context) == ["ann", "bob", "eve"])
            let names = NSFetchRequest<NSDictionary>(entityName: "Person")
            names.resultType = .dictionaryResultType
            names.propertiesToFetch = ["name"]
            names.predicate = NSPredicate(format: "age < 22")
            #expect(try Self.names(context, "boss.name IN %@", Self.expression(names, context)) == ["bob", "cid"])
            #expect(
                try Self.names(
                    context, "SUBQUERY(friends, $f, $f IN %@).@count > 0",
                    Self.expression(.sortedPersons("name == 'bob'"), context)
                ).count == 5)
        }
    }

    @Test("API-161: unsaved changes count, for the inner request as for the outer one", arguments: StackKind.queried)
    func pending(_ kind: StackKind) throws {
        try Crew.stack(kind).run { context throws in
            let teams = NSFetchRequest<Recorder>(entityName: "Team")
            teams.predicate = NSPredicate(format: "name == 'new'")
            let team = context.make("Team", ["name": "new"])
            context.make("Person", ["name": "gus", "team": team])
            try context.named("dan", "Person").set("team", team)
            #expect(try Self.names(context, "team IN %@", Self.expression(teams, context)) == ["dan", "gus"])
            teams.includesPendingChanges = false
            #expect(try Self.names(context, "team IN %@", Self.expression(teams, context)).isEmpty)
        }
    }

    @Test("API-161: it says what it was made of, and has a value by itself")
    func parts() throws {
        try Crew.stack(.sqlite).run { context throws in
            let request = NSFetchRequest<Recorder>.sorted("Team", "name")
            let expression = try #require(Self.expression(request, context) as? NSFetchRequestExpression)
            #expect(expression.requestExpression.constantValue as AnyObject === request)
            #expect(expression.contextExpression.constantValue as AnyObject === context && !expression.isCountOnlyRequest)
            #expect(expression.expressionType == .function)
            let value = try #require(try expression.value(validating: nil) as? [Recorder])
            #expect(value.map { $0.text("name") } == ["blue", "green", "red"])
            #expect(try Self.expression(request, context, countOnly: true).value(validating: nil) as? Int == 3)
        }
    }

    @Test("What is no request, no context, or a request in itself throws", arguments: StackKind.queried)
    func mistakes(_ kind: StackKind) throws {
        try Crew.stack(kind).run { context throws in
            func failure(_ format: String, _ arguments: Any...) throws -> String {
                let request = NSFetchRequest<Recorder>(entityName: "Person")
                request.predicate = NSPredicate(format: format, argumentArray: arguments)
                let error = #expect(throws: NSError.self) { try context.fetch(request) }
                #expect(error?.code == NSCoreDataError)
                return error?.localizedDescription ?? ""
            }
            #expect(try failure("team IN FETCH(5, %@, NO)", context).contains("fetch request"))
            #expect(try failure("team IN FETCH(%@, 5, NO)", NSFetchRequest<Recorder>(entityName: "Team")).contains("context"))
            #expect(
                try failure("team IN %@", Self.expression(NSFetchRequest<Recorder>(entityName: "Nobody"), context)).contains(
                    "Nobody"))
            let endless = NSFetchRequest<Recorder>(entityName: "Person")
            endless.predicate = NSPredicate(format: "boss IN %@", argumentArray: [Self.expression(endless, context)])
            #expect(
                #expect(throws: NSError.self) { try context.fetch(endless) }?.localizedDescription.contains("its own predicate")
                    == true)
            endless.predicate = nil
        }
    }
}

extension NSPersistentStoreRequest {
    fileprivate static func sortedPersons(_ format: String) -> NSFetchRequest<Recorder> { .sorted("Person", where: format) }
}

import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

/// Requests for dictionaries made of whatever fits or does not fit together: a store in memory and one of SQLite give the same answer, or both an error of the
/// request. What SQLite itself says of a statement never comes through.
@Suite("Random requests for dictionaries")
struct RandomDictionaryTests {
    private struct Maker {
        var random: SeededGenerator

        mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }
        mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

        static let keys = [
            "age", "name", "score", "price", "flag", "small", "big", "ratio", "born", "code", "page", "team", "boss", "team.name",
            "boss.age", "boss.team.name",
            "hero.boss.name", "objectID", "team.objectID", "self",
        ]
        static let oddKeys = [
            "skills", "skills.name", "@count", "@sum.age", "@max.name", "@avg.score", "skills.@count", "reports.@sum.age",
            "reports.@max.born", "tags", "photo", "mood", "nick",
            "nothing", "", ".", "team.nothing", "@nothing", "@count.age", "age.x", "entity", "entity.name",
            "friends.friends.@count",
            "@distinctUnionOfObjects.name", "name.length", "a-b", "x y", "team.members.skills.name",
        ]
        static let functions = [
            "sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:", "abs:", "sqrt:", "uppercase:",
            "lowercase:", "length:", "floor:", "ln:", "noindex:",
            "onesComplement:", "canonical:", "trunc:",
        ]
        static let infix = [
            "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "raise:toPower:", "bitwiseAnd:with:",
            "leftshift:by:", "bitwiseXor:with:",
        ]

        mutating func key() -> String { chance(75) ? pick(Self.keys) : pick(Self.oddKeys) }

        mutating func expression(_ depth: Int = 3) -> NSExpression {
            guard depth > 0, chance(70) else {
                switch Int.random(in: 0..<10, using: &random) {
                case 0:
                    return NSExpression(
                        forConstantValue: pick([1, 0, -1.5, "x", Decimal(2), Date(timeIntervalSinceReferenceDate: 5)] as [Any]))
                case 1: return chance(50) ? .expressionForEvaluatedObject() : NSExpression(forConstantValue: nil)
                case 2: return NSExpression(forVariable: pick(["c0", "c1", "count", "x"]))
                default: return NSExpression(forKeyPath: key())
                }
            }
            switch Int.random(in: 0..<10, using: &random) {
            case 0...4: return NSExpression(forFunction: pick(Self.functions), arguments: [expression(depth - 1)])
            case 5, 6:
                return NSExpression(
                    forFunction: pick(Self.infix), arguments: [expression(depth - 1), expression(depth - 1)])
            case 7:
                return NSExpression(
                    forConditional: comparison(depth - 1), trueExpression: expression(depth - 1),
                    falseExpression: expression(depth - 1))
            case 8:
                return NSExpression(
                    forFunction: "count:",
                    arguments: [
                        NSExpression(
                            forSubquery: NSExpression(
                                forKeyPath: pick(["skills", "reports", "tasks", "age", "team"])), usingIteratorVariable: "v",
                            predicate: NSPredicate(format: "$v.name != nil"))
                    ])
            default: return NSExpression(forAggregate: [expression(depth - 1), 1])
            }
        }

        mutating func comparison(_ depth: Int) -> NSPredicate {
            NSComparisonPredicate(
                leftExpression: expression(depth), rightExpression: expression(depth),
                modifier: pick([.direct, .direct, .direct, .any]),
                type: pick([.equalTo, .notEqualTo, .lessThan, .greaterThanOrEqualTo, .contains, .beginsWith, .in]),
                options: pick([[], [], .caseInsensitive]))
        }

        mutating func predicate() -> NSPredicate {
            let first = comparison(2)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return NSCompoundPredicate(notPredicateWithSubpredicate: first)
            case 1: return NSCompoundPredicate(andPredicateWithSubpredicates: [first, comparison(1)])
            case 2: return NSCompoundPredicate(orPredicateWithSubpredicates: [first, comparison(1)])
            default: return first
            }
        }

        mutating func column(_ number: Int) -> Any {
            if chance(40) { return key() }
            let description = NSExpressionDescription()
            description.name = chance(95) ? "c\(number)" : ""
            description.expression = chance(97) ? expression() : nil
            description.resultType = pick([.undefined, .undefined, .integer64, .double, .string, .date])
            return description
        }

        mutating func request() -> NSFetchRequest<NSDictionary> {
            let request = NSFetchRequest<NSDictionary>(
                entityName: pick(["Person", "Person", "Person", "Manager", "Team", "Task"]))
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = (0..<Int.random(in: 0...3, using: &random)).map { column($0) }
            if chance(40) { request.propertiesToGroupBy = (0..<Int.random(in: 1...2, using: &random)).map { column($0) } }
            if chance(40), let given = request.propertiesToFetch, !given.isEmpty {
                request.propertiesToGroupBy = given.filter { _ in chance(60) }
            }
            if chance(25) { request.havingPredicate = predicate() }
            if chance(30) { request.predicate = predicate() }
            if chance(30) { request.sortDescriptors = [NSSortDescriptor(key: chance(50) ? "c0" : key(), ascending: chance(50))] }
            request.returnsDistinctResults = chance(25)
            return request
        }
    }

    private enum Outcome: Equatable {
        case rows([String])
        case error(Int)
    }

    private func text(_ value: Any) -> String {
        switch value {
        // To-many relationships have no order.
        case let list as [Any]: "[\(list.map(text).sorted().joined(separator: ", "))]"
        case let set as Set<AnyHashable>: "{\(set.map { text($0.base) }.sorted().joined(separator: ", "))}"
        case let id as NSManagedObjectID: id.uriRepresentation().lastPathComponent
        case let number as NSNumber:
            number.doubleValue.magnitude > 1e15
                ? String(format: "%.6e", number.doubleValue) : String(format: "%.5f", number.doubleValue + 0.0)
        case let date as Date: String(format: "%.5f", date.timeIntervalSinceReferenceDate)
        default: "\(value)"
        }
    }

    private func outcome(_ request: NSFetchRequest<NSDictionary>, _ context: NSManagedObjectContext) -> Outcome {
        do {
            let rows = try context.fetch(request).map { row in
                (row as? [String: Any] ?? [:]).map { "\($0)=\(text($1))" }.sorted().joined(separator: " ")
            }
            return .rows(rows.sorted())
        } catch let error as NSError {
            #expect(
                error.domain == NSCocoaErrorDomain && error.code == NSCoreDataError,
                "\(error.code) \(error.localizedDescription) for \(describe(request))")
            #expect(error.userInfo["NSSQLiteErrorDomain"] == nil, "\(describe(request))")
            return .error(error.code)
        }
    }

    private func difference(_ memory: [String], _ sqlite: [String]) -> String {
        func lines(_ rows: [String]) -> String { "\(rows.count): \(rows.prefix(3).joined(separator: "; "))" }
        return "memory \(lines(memory.filter { !sqlite.contains($0) })), SQLite \(lines(sqlite.filter { !memory.contains($0) }))"
    }

    private func describe(_ request: NSFetchRequest<NSDictionary>) -> String {
        func columns(_ given: [Any]?) -> String {
            (given ?? []).map {
                ($0 as? NSExpressionDescription).map { "\($0.name): \($0.expression?.description ?? "-") [\($0.resultType)]" }
                    ?? "\($0)"
            }
            .joined(separator: " | ")
        }
        return
            "\(request.entityName ?? "") columns (\(columns(request.propertiesToFetch))) groups (\(columns(request.propertiesToGroupBy))) "
            + "having \(request.havingPredicate?.description ?? "-") where \(request.predicate?.description ?? "-") "
            + "sorted \(request.sortDescriptors ?? []) distinct \(request.returnsDistinctResults)"
    }

    @Test("R100: every request is answered as in memory, or is an error of the request; SQLite's own messages don't come through")
    func random() throws {
        let (memory, sqlite) = (try Staff.stack(.inMemory), try Staff.stack(.sqlite))
        var maker = Maker(random: Fuzz.random("Random dictionaries"))
        var answered = 0
        for _ in 0..<Fuzz.count(1_500) {
            let request = maker.request()
            let first = try memory.fresh { outcome(request, $0) }
            let second = try sqlite.fresh { outcome(request, $0) }
            // Mistakes that come to light with values are found by whoever looks at them.
            if case .rows(let a) = first, case .rows(let b) = second {
                #expect(a == b, "\(difference(a, b)) for \(describe(request))")
                answered += 1
            }
        }
        #expect(answered > 100)
    }

    @Test(
        "R100: entities without attributes have empty dictionaries; functions of all rows don't nest",
        arguments: StackKind.allCases)
    func edges(_ kind: StackKind) throws {
        var maker = ModelMaker()
        maker.entity("Bare", [])
        maker.entity("Other", [ModelMaker.attribute("name", .string)])
        maker.relate("Bare", "others", .many, "Other", "bare", .one)
        try TestStack(kind, maker.model()).run { context throws in
            for _ in 0..<3 { context.make("Bare") }
            try context.save()
            let request = NSFetchRequest<NSDictionary>(entityName: "Bare")
            request.resultType = .dictionaryResultType
            #expect(try context.fetch(request).map(\.count) == [0, 0, 0])
            request.fetchLimit = 2
            #expect(try context.fetch(request).count == 2)
            (request.fetchLimit, request.returnsDistinctResults) = (0, true)
            #expect(try context.fetch(request).map(\.count) == [0])
        }
        try Staff.stack(kind).fresh { context throws in
            for format in [
                "max:(@count)", "sum:(max:(age))", "max:(1 + min:(age))", "count:(@sum.age)",
                "max:(TERNARY(count:(age) > 1, 1, 2))",
            ] {
                let description = NSExpressionDescription()
                description.name = "x"
                description.expression = NSExpression(format: format)
                let request = NSFetchRequest<NSDictionary>(entityName: "Person")
                request.resultType = .dictionaryResultType
                request.propertiesToFetch = [description]
                let error = #expect(throws: NSError.self, "\(format)") { try context.fetch(request) }
                #expect(
                    error?.code == NSCoreDataError && error?.localizedDescription.contains("x") == true,
                    "\(String(describing: error))")
                request.propertiesToFetch = ["name"]
                request.propertiesToGroupBy = [description]
                #expect(throws: NSError.self) { try context.fetch(request) }
            }
        }
    }

    @Test(
        "R100: what all rows make one value of, and what has no one value for a group, is told alike by stores of every type",
        arguments: StackKind.allCases)
    func groups(_ kind: StackKind) throws {
        func description(_ format: String, _ name: String = "x") -> NSExpressionDescription {
            let description = NSExpressionDescription()
            description.name = name
            description.expression = NSExpression(format: format)
            return description
        }
        try Staff.stack(kind).fresh { context throws in
            func rows(_ columns: [Any], by groups: [Any] = [], having: String? = nil, where format: String? = nil) throws
                -> [String]
            {
                let request = NSFetchRequest<NSDictionary>(entityName: "Person")
                request.resultType = .dictionaryResultType
                request.propertiesToFetch = columns
                request.propertiesToGroupBy = groups
                request.havingPredicate = having.map { NSPredicate(format: $0) }
                request.predicate = format.map { NSPredicate(format: $0) }
                return try context.fetch(request).map { row in row["x"].map { text($0) } ?? "-" }.sorted()
            }
            let one: [(format: String, value: String, none: String)] = [
                ("min:(2)", "2.00000", "-"), ("sum:(2)", "10.00000", "-"), ("count:(2)", "5.00000", "0.00000"),
                ("max:(nil)", "-", "-"), ("sum:(nil) + count:(age)", "-", "-"), ("abs:(min:(0 - 2)) + 1", "3.00000", "-"),
                ("TERNARY(max:(1) > 0, 'some', 'none')", "some", "none"), ("max:(reports.@sum.age)", "60.00000", "-"),
                ("sum:(skills.@count)", "7.00000", "-"), ("max:(age) + 1", "51.00000", "-"),
                ("1 + max:(born)", "2001.00000", "-"),
            ]
            for (format, value, none) in one {
                #expect(try rows([description(format)]) == [value], "\(format)")
                #expect(try rows([description(format)], where: "age < 0") == [none], "\(format)")
                #expect(try rows([description(format)], having: "count:(age) == 5") == [value], "\(format)")
                #expect(try rows([description(format)], having: "count:(age) == 0") == [], "\(format)")
                #expect(try rows([description(format)], having: "count:(age) == 0", where: "age < 0") == [none], "\(format)")
            }
            #expect(
                try rows([description("uppercase:(team.name)"), description("max:(1)", "y")], by: ["team.name"]) == [
                    "-", "BLUE", "RED",
                ])
            #expect(
                try rows([description("5"), "team.name"], by: ["team.name"], having: "min:(1) == 1") == [
                    "5.00000", "5.00000", "5.00000",
                ])
            let wrong: [() throws -> [String]] = [
                { try rows([description("age + max:(score)")]) }, { try rows(["age", description("max:(reports.@max.age)")]) },
                { try rows([description("TERNARY(age > 1, max:(age), 1)")]) },
                { try rows([description("max:(age)")], having: "age > 1") },
                { try rows([description("sum:(age)"), "team.name"], by: ["team.name"], having: "score > 1 AND sum:(age) > 1") },
                { try rows([description("max:(reports.@max.age)")], by: [description("max:(reports.@max.age)")]) },
            ]
            for (index, fetch) in wrong.enumerated() {
                let error = #expect(throws: NSError.self, "\(index)") { try fetch() }
                #expect(error?.code == NSCoreDataError && error?.userInfo["NSSQLiteErrorDomain"] == nil, "\(index)")
            }
            // Values have their own types, whatever is asked for.
            for type in [NSAttributeDescription.AttributeType.undefined, .integer64, .string, .date, .uuid, .uri] {
                let (code, page, ids) = (description("max:(code)"), description("page"), description("{SELF, 1}"))
                for column in [code, page] { column.resultType = type }
                let request = NSFetchRequest<NSDictionary>(entityName: "Person")
                (request.resultType, request.predicate) = (.dictionaryResultType, NSPredicate(format: "name == 'Anna'"))
                request.propertiesToFetch = [code]
                #expect(try context.fetch(request).first?["x"] as? UUID == Staff.code, "\(type)")
                request.propertiesToFetch = [page]
                #expect(try context.fetch(request).first?["x"] as? URL == URL(string: "https://example.org/anna"), "\(type)")
                request.propertiesToFetch = [ids]
                #expect((try context.fetch(request).first?["x"] as? [Any])?.first is NSManagedObjectID)
            }
        }
    }

    @Test("R25: havingPredicate names columns by variables, as with Apple's framework, or by keys", arguments: StackKind.allCases)
    func having(_ kind: StackKind) throws {
        try Staff.stack(kind).fresh { context throws in
            let count = NSExpressionDescription()
            count.name = "count"
            count.expression = NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "age")])
            count.resultType = .integer64
            func teams(_ having: NSPredicate?) throws -> [String] {
                let request = NSFetchRequest<NSDictionary>(entityName: "Person")
                request.resultType = .dictionaryResultType
                request.propertiesToFetch = ["team.name", count]
                request.propertiesToGroupBy = ["team.name"]
                request.havingPredicate = having
                return try context.fetch(request).map { "\($0["team.name"] ?? "-") \($0["count"] ?? "")" }.sorted()
            }
            let variable = NSExpression(forVariable: "count")
            let two = NSExpression(forConstantValue: 2)
            for having in [
                NSComparisonPredicate(
                    leftExpression: variable, rightExpression: two, modifier: .direct, type: .equalTo),
                NSComparisonPredicate(
                    leftExpression: two, rightExpression: variable, modifier: .direct, type: .lessThanOrEqualTo),
                NSPredicate(format: "$count > 1"), NSPredicate(format: "count > 1"),
                NSPredicate(format: "$count + 1 > 2 AND NOT $count < 2"),
                NSPredicate(format: "count:(age) > 1"), NSPredicate(format: "%K > 1 AND $count > 1", "count"),
            ] { #expect(try teams(having) == ["blue 2", "red 2"], "\(having)") }
            #expect(try teams(nil) == ["- 1", "blue 2", "red 2"])
            let error = #expect(throws: NSError.self) { try teams(NSPredicate(format: "$cuont > 1")) }
            #expect(
                error?.code == NSCoreDataError && error?.localizedDescription.contains("cuont") == true,
                "\(String(describing: error))")
        }
    }
}

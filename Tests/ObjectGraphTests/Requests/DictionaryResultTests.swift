import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

/// Stores in memory compute dictionaries from objects, SQLite stores by SQL: each test is both.
@Suite("Dictionary results")
struct DictionaryResultTests {
    private static func request(_ entity: String = "Person", _ columns: Any..., sortedBy keys: String...) -> NSFetchRequest<
        NSDictionary
    > {
        let request = NSFetchRequest<NSDictionary>(entityName: entity)
        request.resultType = .dictionaryResultType
        if !columns.isEmpty { request.propertiesToFetch = columns }
        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
        return request
    }

    private static func computed(
        _ name: String, _ format: String, _ type: NSAttributeDescription.AttributeType = .undefined
    ) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = NSExpression(format: format)
        description.resultType = type
        return description
    }

    @Test("A negative limit or offset is the error that it is for objects; great ones are no harm", arguments: StackKind.allCases)
    func window(_ kind: StackKind) throws {
        try Crew.stack(kind).run { context throws in
            for (limit, offset) in [(-1, 0), (0, -1)] {
                let request = Self.request("Person", "name")
                (request.fetchLimit, request.fetchOffset) = (limit, offset)
                let error = #expect(throws: NSError.self) { try context.fetch(request) }
                #expect(error?.code == NSCoreDataError)
                let text = "fetchLimit and fetchOffset of a request for “Person” must not be negative"
                #expect(error?.localizedDescription == text)
            }
            let request = Self.request("Person", "name", sortedBy: "name")
            (request.fetchLimit, request.fetchOffset) = (.max, 4)
            #expect(try Self.texts(context, request) == ["name=eve", "name=fay"])
            context.make("Person", ["name": "gus"])
            let objects = NSFetchRequest<Recorder>.sorted("Person", "-name")
            for (offset, count) in [(0, 7), (5, 2), (Int.max, 0)] {
                (objects.fetchLimit, objects.fetchOffset) = (.max, offset)
                #expect(try context.fetch(objects).count == count)
            }
            try context.named("ann", "Person").set("age", 1)
            objects.fetchOffset = 0
            #expect(try context.fetch(objects).count == 7)
        }
    }

    private static func rows(_ context: NSManagedObjectContext, _ request: NSFetchRequest<NSDictionary>) throws -> [[String: Any]]
    {
        try context.fetch(request).map { try #require($0 as? [String: Any]) }
    }

    /// The values as text: "name=ann, age=20", keys sorted.
    private static func texts(_ context: NSManagedObjectContext, _ request: NSFetchRequest<NSDictionary>) throws -> [String] {
        try rows(context, request).map { row in
            row.keys.sorted().map { key in
                let value = row[key] ?? ""
                if let id = value as? NSManagedObjectID { return "\(key)=\(id.entity.name ?? "")" }
                return "\(key)=\(value)"
            }.joined(separator: ", ")
        }
    }

    /// alpha 22 red, bravo 25 red, charlie 10 blue, delta without team and age; each with more values.
    private static func stack(_ kind: StackKind) throws -> TestStack {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let red = context.make("Team", ["name": "red"])
            let blue = context.make("Team", ["name": "blue"])
            for (index, (name, age, team)) in [("alpha", 22, red), ("bravo", 25, red), ("charlie", 10, blue)].enumerated() {
                context.make(
                    "Person",
                    [
                        "name": name, "age": age, "team": team, "flag": index < 2, "price": NSDecimalNumber(value: index + 2),
                        "score": Double(index), "born": Date(timeIntervalSinceReferenceDate: Double(index)), "small": index,
                    ])
            }
            context.make("Manager", ["name": "delta", "age": NSNull(), "level": 3])
            try context.save()
        }
        return stack
    }

    @Test("FET-24, FET-92: columns by name, in rows of the store: unsaved changes don't count", arguments: StackKind.allCases)
    func pendingChanges(_ kind: StackKind) throws {
        try Self.stack(kind).run { context throws in
            try context.named("alpha", "Person").set("age", 5)
            context.delete(try context.named("bravo", "Person"))
            context.make("Person", ["name": "echo", "age": 40])
            let request = Self.request("Person", "name", "age", sortedBy: "name")
            request.predicate = NSPredicate(format: "age > 20")
            #expect(try Self.texts(context, request) == ["age=22, name=alpha", "age=25, name=bravo"])
            let any = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
            any.resultType = .dictionaryResultType
            #expect(try context.fetch(any).count == 4)
            #expect(try context.fetch(any).allSatisfy { $0 is [String: Any] })
            #expect(context.hasChanges)
        }
    }

    @Test("FET-90, FET-91, FET-101: without columns all stored attributes; nil values are absent", arguments: StackKind.allCases)
    func allAttributes(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let code = UUID()
            let values: [String: Any] = [
                "name": "full", "age": 3, "score": 0.5, "small": 7, "big": 1 << 40, "ratio": Float(0.25),
                "price": NSDecimalNumber(string: "9.90"), "flag": true, "born": Date(timeIntervalSinceReferenceDate: 5),
                "photo": Data([1, 2]),
                "code": code, "page": try #require(URL(string: "https://example.com/x")), "tags": ["a", "b"], "nick": "transient",
            ]
            context.make("Person", values)
            context.make("Person", ["age": NSNull()])
            try context.save()
            let rows = try Self.rows(context, Self.request("Person", sortedBy: "name"))
            #expect(rows[0].isEmpty)
            let row = rows[1]
            #expect(row.count == 13 && row["nick"] == nil && row["team"] == nil)
            #expect(row["name"] as? String == "full" && row["age"] as? Int == 3 && row["big"] as? Int == 1 << 40)
            #expect(row["score"] as? Double == 0.5 && row["ratio"] as? Float == 0.25 && row["flag"] as? Bool == true)
            #expect(row["price"] as? NSDecimalNumber == NSDecimalNumber(string: "9.90"))
            #expect(row["born"] as? Date == Date(timeIntervalSinceReferenceDate: 5) && row["photo"] as? Data == Data([1, 2]))
            #expect(row["code"] as? UUID == code && row["tags"] as? [String] == ["a", "b"])
            #expect((row["page"] as? URL)?.absoluteString == "https://example.com/x")
        }
    }

    @Test("FET-92, FET-93, FET-98: key paths, to-one relationships and objects", arguments: StackKind.allCases)
    func relationships(_ kind: StackKind) throws {
        try Self.stack(kind).run { context throws in
            let team = try #require(
                context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Person"]?.relationshipsByName["team"])
            let own = NSExpressionDescription()
            own.name = "me"
            own.expression = NSExpression.expressionForEvaluatedObject()
            own.expressionResultType = .objectIDAttributeType
            let request = Self.request("Person", "team.name", team, "objectID", own, sortedBy: "name")
            let rows = try Self.rows(context, request)
            #expect(rows.map { $0["team.name"] as? String } == ["red", "red", "blue", nil])
            #expect(
                rows.map { ($0["team"] as? NSManagedObjectID).flatMap { context.object(with: $0).text("name") } } == [
                    "red", "red", "blue", nil,
                ])
            for key in ["objectID", "me"] {
                let ids = rows.compactMap { $0[key] as? NSManagedObjectID }
                #expect(ids.map { context.object(with: $0).text("name") } == ["alpha", "bravo", "charlie", "delta"])
                #expect(ids.map { $0.entity.name } == ["Person", "Person", "Person", "Manager"])
            }
            let exact = Self.request("Person", "name", sortedBy: "name")
            exact.includesSubentities = false
            #expect(try Self.rows(context, exact).count == 3)
        }
    }

    @Test("FET-94, FET-12: what is no column is an error that names it", arguments: StackKind.allCases)
    func mistakes(_ kind: StackKind) throws {
        try Self.stack(kind).run { context throws in
            func failure(_ request: NSFetchRequest<NSDictionary>) throws -> String {
                let error = #expect(throws: NSError.self) { try context.fetch(request) }
                #expect(error?.code == NSCoreDataError)
                return error?.localizedDescription ?? ""
            }
            #expect(try failure(Self.request("Person", "friends")).contains("Invalid to-many relationship"))
            #expect(try failure(Self.request("Person", "team.members")).contains("team.members"))
            #expect(try failure(Self.request("Person", "shoes")).contains("shoes"))
            #expect(try failure(Self.request("Person", "team.shoes")).contains("shoes"))
            #expect(try failure(Self.request("Person", "nick")).contains("transient"))
            #expect(try failure(Self.request("Person", 7)).contains("7"))
            #expect(try failure(Self.request("Person", Self.computed("x", "median:(age)"))).contains("median"))
            #expect(try failure(Self.request("Person", Self.computed("", "age"))).contains("no name"))
            #expect(try failure(Self.request("Person", NSExpressionDescription())).contains("no name"))
            #expect(try failure(Self.request("Nobody", "name")).contains("Nobody"))
            #expect(try failure(Self.request("Person", "name", Self.computed("n", "count:(name)"))).contains("name"))
            let having = Self.request("Person", "name")
            having.havingPredicate = NSPredicate(value: true)
            #expect(try failure(having).contains("havingPredicate"))
            let unsorted = Self.request("Person", Self.computed("n", "count:(name)"), sortedBy: "age")
            #expect(try failure(unsorted).contains("age"))
        }
    }

    // MARK: Aggregates

    @Test("FET-95, FET-105, FET-106: aggregates over all rows make one row", arguments: StackKind.allCases)
    func aggregates(_ kind: StackKind) throws {
        try Self.stack(kind).run { context throws in
            let request = Self.request(
                "Person", Self.computed("sum", "sum:(age)"), Self.computed("n", "count:(age)"),
                Self.computed("all", "count:(SELF)"),
                Self.computed("yes", "sum:(flag)"), Self.computed("mean", "average:(price)", .double),
                Self.computed("top", "max:(name)"),
                Self.computed("least", "min:(born)"), Self.computed("path", "@max.age"), Self.computed("twice", "sum:(age) * 2"))
            let row = try #require(try Self.rows(context, request).first)
            #expect(row["sum"] as? Int == 57 && row["n"] as? Int == 3 && row["all"] as? Int == 4 && row["yes"] as? Int == 2)
            #expect(row["mean"] as? Double == 3 && row["top"] as? String == "delta" && row["path"] as? Int == 25)
            #expect(row["least"] as? Date == Date(timeIntervalSinceReferenceDate: 0) && row["twice"] as? Int == 114)
        }
    }

    @Test("PRD-178: aggregates of different values, over all rows and in groups", arguments: StackKind.allCases)
    func distinctAggregates(_ kind: StackKind) throws {
        try Self.stack(kind).run { context throws in
            for (name, age) in [("echo", 22), ("foxtrot", 25)] {
                context.make("Person", ["name": name, "age": age, "flag": true, "price": NSDecimalNumber(value: 2)])
            }
            try context.save()
            let columns = [
                Self.computed("n", "count:(@distinctUnionOfObjects.age)"), Self.computed("all", "count:(age)"),
                Self.computed("sum", "sum:(@distinctUnionOfObjects.age)"),
                Self.computed("top", "max:(@distinctUnionOfObjects.age)"),
                Self.computed("price", "sum:(@distinctUnionOfObjects.price)"),
                Self.computed("teams", "count:(@distinctUnionOfObjects.team.name)"),
            ]
            let row = try #require(
                try Self.rows(
                    context, Self.request("Person", columns[0], columns[1], columns[2], columns[3], columns[4], columns[5])
                ).first)
            #expect(row["n"] as? Int == 3 && row["all"] as? Int == 5 && row["sum"] as? Int == 57 && row["top"] as? Int == 25)
            #expect(row["price"] as? NSNumber == 9 && row["teams"] as? Int == 2)
            let grouped = Self.request("Person", "flag", columns[0], sortedBy: "flag")
            grouped.propertiesToGroupBy = ["flag"]
            grouped.predicate = NSPredicate(format: "age != nil")
            #expect(try Self.rows(context, grouped).map { $0["n"] as? Int } == [1, 2])
            let request = Self.request("Person", Self.computed("x", "count:(@distinctUnionOfObjects.shoes)"))
            #expect(#expect(throws: NSError.self) { try context.fetch(request) }?.localizedDescription.contains("shoes") == true)
        }
    }

    @Test("FET-104: of no values a count is 0 and everything else is absent", arguments: StackKind.allCases)
    func aggregatesOfNothing(_ kind: StackKind) throws {
        try Self.stack(kind).run { context throws in
            let request = Self.request(
                "Person", Self.computed("n", "count:(age)"), Self.computed("sum", "sum:(age)"), Self.computed("d", "sum:(price)"),
                Self.computed("big", "sum:(big)"), Self.computed("mean", "average:(price)"), Self.computed("top", "max:(name)"))
            request.predicate = NSPredicate(format: "name == 'nobody'")
            #expect(try Self.texts(context, request) == ["n=0"])
        }
    }

    @Test(
        "Sums of whole numbers are the same with SQLite's own sum: up to 64 bits, beyond them, and of other values",
        arguments: 0..<30)
    func largeSums(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let stacks = try StackKind.queried.map { try TestStack.people($0) }
        // Some seeds stay small, some leave 64 bits in some groups, and some leave them only for a while.
        let parts: [Int64?] = [1, -1, 1 << 62, -(1 << 62), .max, .min, nil, 7, 0].shuffled(using: &random)
        let values = (0..<Int.random(in: 1...8, using: &random)).map { _ in
            (parts[Int.random(in: 0..<(1 + Int(seed) % parts.count), using: &random)], Int.random(in: 0..<3, using: &random))
        }
        var answers: [[String]] = []
        for stack in stacks {
            answers.append(
                try stack.run { context throws in
                    for (value, age) in values { context.make("Person", ["big": value as Any? ?? NSNull(), "age": age]) }
                    try context.save()
                    var result: [String] = []
                    for sum in ["sum:(big)", "sum:(@distinctUnionOfObjects.big)", "sum:(big) + count:(age)"] {
                        let request = Self.request("Person", "age", Self.computed("sum", sum), Self.computed("n", "count:(big)"))
                        request.propertiesToGroupBy = ["age"]
                        result += try Self.texts(context, request).sorted()
                        request.havingPredicate = NSPredicate(format: "sum:(big) > 0")
                        result += try Self.texts(context, request).sorted()
                        let all = Self.request("Person", Self.computed("sum", sum), Self.computed("again", "sum:(big)"))
                        result += try Self.texts(context, all)
                    }
                    return result
                })
        }
        for answer in answers { #expect(answer == answers[0]) }
        let (numbers, fits) = (
            values.compactMap(\.0),
            values.reduce((Int64(0), true)) {
                let (sum, overflows) = $0.0.addingReportingOverflow($1.0 ?? 0)
                return (sum, $0.1 && !overflows)
            }
        )
        if fits.1, !numbers.isEmpty { #expect(answers[1].contains("again=\(fits.0), sum=\(fits.0)")) }
    }

    @Test("What another program put into a column of whole numbers changes a sum as before, and is no reason to fail elsewhere")
    func sumsOfForeignValues() throws {
        let stack = try TestStack.people(.sqlite)
        try stack.run { context throws in
            for index in 0..<4 { context.make("Person", ["name": "\(index)", "big": index]) }
            try context.save()
            try Database(stack.folder.file("store.sqlite")).execute("UPDATE ZPERSON SET ZBIG = 2.5 WHERE ZNAME = '2'")
            let request = Self.request("Person", Self.computed("sum", "sum:(big)"), Self.computed("n", "count:(big)"))
            #expect(try Self.texts(context, request) == ["n=4, sum=6.5"])
            request.predicate = NSPredicate(format: "name != '2'")
            #expect(try Self.texts(context, request) == ["n=3, sum=4"])
        }
    }

    @Test("FET-96: groups, one row for each", arguments: StackKind.allCases)
    func groups(_ kind: StackKind) throws {
        try Self.stack(kind).run { context throws in
            let request = Self.request(
                "Person", "team.name", Self.computed("n", "count:(name)"), Self.computed("age", "average:(age)"),
                sortedBy: "team.name")
            request.propertiesToGroupBy = ["team.name"]
            #expect(try Self.texts(context, request) == ["n=1", "age=10.0, n=1, team.name=blue", "age=23.5, n=2, team.name=red"])
            request.sortDescriptors = [
                NSSortDescriptor(key: "n", ascending: false), NSSortDescriptor(key: "team.name", ascending: true),
            ]
            request.fetchLimit = 2
            #expect(try Self.rows(context, request).map { $0["n"] as? Int } == [2, 1])
            request.fetchOffset = 1
            #expect(try Self.rows(context, request).map { $0["team.name"] as? String } == [nil, "blue"])
            let byTeam = Self.request("Person", "team", Self.computed("n", "count:(name)"), sortedBy: "n")
            byTeam.propertiesToGroupBy = ["team"]
            byTeam.predicate = NSPredicate(format: "team != nil")
            #expect(try Self.texts(context, byTeam) == ["n=1, team=Team", "n=2, team=Team"])
        }
    }

    @Test("FET-97, PRD-137: having, by a column's name, a grouped property or an aggregate", arguments: StackKind.allCases)
    func having(_ kind: StackKind) throws {
        try Self.stack(kind).run { context throws in
            let request = Self.request("Person", "team.name", Self.computed("n", "count:(name)"), sortedBy: "team.name")
            request.propertiesToGroupBy = ["team.name"]
            for format in ["n > 1", "team.name == 'red'", "max:(age) > 20", "team.name != nil AND NOT sum:(age) < 20"] {
                request.havingPredicate = NSPredicate(format: format)
                #expect(try Self.texts(context, request) == ["n=2, team.name=red"], "\(format)")
            }
            let whole = Self.request("Person", Self.computed("n", "count:(name)"))
            whole.havingPredicate = NSPredicate(format: "n > 10")
            #expect(try Self.rows(context, whole).isEmpty)
        }
    }

    @Test("FET-83: a batch size makes no difference to the rows, with the objects' IDs or without", arguments: StackKind.allCases)
    func batchSize(_ kind: StackKind) throws {
        try Self.stack(kind).run { context throws in
            let names = Self.request("Person", "name", sortedBy: "name")
            let ids = Self.request("Person", "name", "objectID", sortedBy: "name")
            for request in [names, ids] {
                request.fetchBatchSize = 2
                let rows = try Self.rows(context, request)
                #expect(rows.map { $0["name"] as? String } == ["alpha", "bravo", "charlie", "delta"])
                #expect(rows.allSatisfy { ($0["objectID"] is NSManagedObjectID) == (request === ids) })
            }
        }
    }

    @Test("FET-99, FET-100: distinct results, cut after that", arguments: StackKind.allCases)
    func distinct(_ kind: StackKind) throws {
        try Self.stack(kind).run { context throws in
            let request = Self.request("Person", "team.name", sortedBy: "team.name")
            #expect(try Self.rows(context, request).count == 4)
            request.returnsDistinctResults = true
            #expect(try Self.rows(context, request).map { $0["team.name"] as? String } == [nil, "blue", "red"])
            request.fetchLimit = 1
            request.fetchOffset = 2
            #expect(try Self.rows(context, request).map { $0["team.name"] as? String } == ["red"])
        }
    }

    @Test("FET-102, FET-103: functions of each row, in the type asked for", arguments: StackKind.allCases)
    func functions(_ kind: StackKind) throws {
        try Self.stack(kind).run { context throws in
            let request = Self.request(
                "Person", Self.computed("upper", "uppercase(name)"), Self.computed("next", "age + 1", .integer64),
                Self.computed("half", "age / 2.0", .integer32), Self.computed("real", "age", .double),
                Self.computed("is", "small", .boolean),
                Self.computed("d", "price * 2", .decimal), Self.computed("away", "abs(score - 1)"),
                Self.computed("friends", "friends.@count"),
                Self.computed("when", "born"), sortedBy: "name")
            request.predicate = NSPredicate(format: "name == 'bravo'")
            let row = try #require(try Self.rows(context, request).first)
            #expect(row["upper"] as? String == "BRAVO" && row["next"] as? Int == 26 && row["half"] as? Int == 12)
            #expect(row["real"] as? Double == 25 && row["is"] as? Bool == true && row["d"] as? NSDecimalNumber == 6)
            #expect(row["away"] as? Double == 0 && row["friends"] as? Int == 0)
            #expect(row["when"] as? Date == Date(timeIntervalSinceReferenceDate: 1))
        }
    }

    @Test("FET-7: over several stores the results are made in memory")
    func severalStores() throws {
        let stack = try Self.stack(.sqlite)
        let second = try stack.coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        try stack.run { context throws in
            context.assign(context.make("Person", ["name": "other", "age": 3]), to: second)
            try context.save()
            let request = Self.request("Person", Self.computed("n", "count:(name)"), Self.computed("sum", "sum:(age)"))
            #expect(try Self.texts(context, request) == ["n=5, sum=60"])
            request.affectedStores = [second]
            #expect(try Self.texts(context, request) == ["n=1, sum=3"])
            request.affectedStores = [stack.store]
            #expect(try Self.texts(context, request) == ["n=4, sum=57"])
        }
    }

    // MARK: Both ways

    @Test("SQL and memory give the same for random columns, groups and conditions", arguments: 1...6)
    func random(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let stacks = try StackKind.allCases.map { kind in
            let stack = try TestStack.people(kind)
            var random = SeededGenerator(seed: UInt64(seed))
            try stack.run { context throws in
                let teams = ["red", "blue"].map { context.make("Team", ["name": $0]) }
                for index in 0..<40 {
                    let person = context.make(
                        index % 7 == 0 ? "Manager" : "Person", ["name": "p\(Int.random(in: 0..<8, using: &random))"])
                    person.set("age", Bool.random(using: &random) ? Int.random(in: 0..<5, using: &random) : NSNull())
                    person.set("score", Bool.random(using: &random) ? Double(Int.random(in: 0..<9, using: &random)) / 4 : nil)
                    person.set(
                        "price", Bool.random(using: &random) ? NSDecimalNumber(value: Int.random(in: 0..<4, using: &random)) : nil
                    )
                    person.set("flag", Bool.random(using: &random))
                    person.set(
                        "team", Int.random(in: 0..<3, using: &random) == 0 ? nil : teams[Int.random(in: 0..<2, using: &random)])
                }
                try context.save()
            }
            return stack
        }
        let plain = ["name", "age", "score", "price", "flag", "team.name", "team"]
        let functions = [
            "count:(name)", "count:(SELF)", "sum:(age)", "average:(age)", "max:(name)", "min:(score)", "sum:(price)",
            "average:(score)",
            "sum:(age) + count:(name)", "max:(team.name)", "sum:(flag)",
        ]
        for _ in 0..<15 {
            let request = Self.request()
            let keys = plain.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
            var columns: [Any] = Array(keys)
            if Bool.random(using: &random) {
                request.propertiesToGroupBy = columns
                columns += functions.shuffled(using: &random).prefix(3).enumerated().map { Self.computed("c\($0)", $1) }
                if Bool.random(using: &random) { request.havingPredicate = NSPredicate(format: "count:(SELF) > 1 AND c0 != nil") }
            } else {
                request.returnsDistinctResults = Bool.random(using: &random)
            }
            request.propertiesToFetch = columns
            if Bool.random(using: &random) { request.predicate = NSPredicate(format: "age != 2 AND flag == YES") }
            let answers = try stacks.map { stack in try stack.run { context throws in try Self.texts(context, request).sorted() }
            }
            #expect(answers[0] == answers[1])
            #expect(!answers[0].isEmpty || request.havingPredicate != nil)
        }
    }

    @Test(
        "Conditions in columns, groups, sort keys and having that only memory can evaluate are evaluated there, and not left out",
        arguments: StackKind.allCases,
        [
            "TERNARY(ANY tags CONTAINS 'x', 'yes', 'no')", "TERNARY(tags = nil OR tags CONTAINS 'z', 'no', 'yes')",
            "TERNARY(NOT (ANY tags CONTAINS 'x'), 'no', TERNARY(ANY tags CONTAINS 'x', 'yes', 'no'))",
            "TERNARY(SUBQUERY(team.members, $m, ANY $m.tags CONTAINS 'x').@count > 0 AND ANY tags CONTAINS 'x', 'yes', 'no')",
        ])
    func conditionsForMemory(_ kind: StackKind, _ format: String) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let team = context.make("Team", ["name": "t"])
            context.make("Person", ["name": "a", "tags": ["x"], "team": team])
            context.make("Person", ["name": "b", "tags": ["z"], "team": team])
            context.make("Person", ["name": "c", "team": team])
            try context.save()
            let column = NSExpressionDescription()
            column.name = "answer"
            column.expression = NSExpression(format: format)
            column.resultType = .string
            let request = NSFetchRequest<NSDictionary>(entityName: "Person")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name", column]
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            #expect(try context.fetch(request).map { $0["answer"] as? String } == ["yes", "no", "no"])
            request.sortDescriptors = [
                NSSortDescriptor(key: "answer", ascending: false), NSSortDescriptor(key: "name", ascending: false),
            ]
            #expect(try context.fetch(request).map { $0["name"] as? String } == ["a", "c", "b"])
            (request.propertiesToFetch, request.propertiesToGroupBy, request.sortDescriptors) = ([column], [column], nil)
            #expect(Set(try context.fetch(request).map { $0["answer"] as? String }) == ["yes", "no"])
            request.havingPredicate = NSPredicate(format: "\(format) == 'yes'")
            #expect(try context.fetch(request).map { $0["answer"] as? String } == ["yes"])
        }
    }
}

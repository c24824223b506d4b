import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

/// Requests that are beyond what SQLite does in one statement: each is answered as by a store in memory, or is an error of the request.
@Suite("Requests beyond the limits of a store")
struct StoreLimitTests {
    /// The names found by every kind of fetch, which all have to agree.
    private func found(_ predicate: NSPredicate, sortedBy key: String = "age", _ context: NSManagedObjectContext) throws
        -> [String]
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true), NSSortDescriptor(key: "age", ascending: true)]
        let names = try context.fetch(request).map { $0.text("name") ?? "-" }
        #expect(try context.count(for: request) == names.count)
        #expect(try context.fetchBatched(request).map { $0.text("name") ?? "-" } == names)
        request.fetchLimit = 2
        request.fetchOffset = 1
        #expect(try context.fetch(request).map { $0.text("name") ?? "-" } == Array(names.dropFirst().prefix(2)))
        let columns = NSFetchRequest<NSDictionary>(entityName: "Person")
        columns.resultType = .dictionaryResultType
        columns.propertiesToFetch = ["name"]
        columns.predicate = predicate
        columns.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
        let texts = try context.fetch(columns).map { $0["name"] as? String ?? "-" }
        #expect(texts.sorted() == names.sorted())
        return names
    }

    private func answers(_ body: (NSManagedObjectContext) throws -> [[String]]) throws -> (memory: [[String]], sqlite: [[String]])
    {
        (try Staff.stack(.inMemory).fresh(body), try Staff.stack(.sqlite).fresh(body))
    }

    @Test("R96: AND and OR in turns, to every depth")
    func alternating() throws {
        let (memory, sqlite) = try answers { context in
            try [1, 10, 20, 40, 44, 45, 46, 50, 60, 75, 100, 120, 146, 147, 148, 149, 150, 151, 200, 300].map { depth in
                var predicate = NSPredicate(format: "age >= 20")
                for level in 0..<depth {
                    predicate = NSCompoundPredicate(
                        type: level.isMultiple(of: 2) ? .and : .or,
                        subpredicates: [
                            predicate, NSPredicate(format: level.isMultiple(of: 2) ? "age < %d" : "age == %d", 1000 + level),
                        ])
                }
                return try found(predicate, context)
            }
        }
        #expect(memory == sqlite)
        #expect(memory.allSatisfy { $0 == ["bert", "Anna", "Émile", "Zoe"] })
    }

    @Test("R96: functions, conditions, NOT and SUBQUERY one in the other, to every depth")
    func nested() throws {
        let (memory, sqlite) = try answers { context in
            var results: [[String]] = []
            for depth in [1, 5, 10, 15, 20, 25, 30, 40, 50, 70, 90, 110, 140, 180] {
                func nest(_ start: String, _ open: String, _ close: String) -> String {
                    String(repeating: open, count: depth) + start + String(repeating: close, count: depth)
                }
                var formats = [
                    nest("age", "abs(", ")") + " >= 20", nest("age", "(1 + ", ")") + " >= 20 + \(depth)",
                    nest("age >= 20", "NOT (", ")"),
                    nest("age", "-(", ")") + " != 0",
                ]
                if depth <= 40 {
                    formats.append(nest("age", "TERNARY(age > 1, ", ", 0)") + " >= 20")
                    formats.append(nest("age >= 20", "(name == 'x' OR (name != 'y' AND ", "))"))
                }
                // Each level goes through the members of the one before: there are soon too many for anybody.
                if depth <= 5 {
                    formats.append(
                        (0..<depth).map { "SUBQUERY(\($0 == 0 ? "" : "$s\($0 - 1).")boss.reports, $s\($0), " }.joined() + "1 == 1"
                            + String(repeating: ").@count > 0", count: depth))
                }
                // Texts that are nested too deep are errors.
                for case let predicate? in formats.map({ try? NSPredicate(validating: $0) }) {
                    results.append(try found(predicate, context))
                }
            }
            return results
        }
        for (index, pair) in zip(memory, sqlite).enumerated() { #expect(pair.0 == pair.1, "\(index)") }
        #expect(memory.count > 50)
    }

    @Test("R95, R96: more joins than SQLite has room for")
    func joins() throws {
        let (memory, sqlite) = try answers { context in
            var results: [[String]] = []
            for count in [10, 30, 62, 63, 64, 65, 100, 900] {
                let path = Array(repeating: "boss", count: count).joined(separator: ".")
                results.append(try found(NSPredicate(format: "%K == nil", path + ".name"), context))
                results.append(try found(NSPredicate(value: true), sortedBy: path.dropLast(5) + ".name", context))
            }
            // Many short paths.
            let paths = ["team", "boss", "desk", "spouse", "hero"].flatMap { a in
                ["boss", "hero", "spouse"].flatMap { b in ["\(a)", "\(b).\(a)", "boss.\(b).\(a)", "hero.boss.\(b).\(a)"] }
            }
            let all = paths.enumerated().map { NSPredicate(format: "%K == nil OR age != %d", $1, 2000 + $0) }
            results.append(try found(NSCompoundPredicate(andPredicateWithSubpredicates: all), context))
            let nested = paths.map {
                NSPredicate(format: "SUBQUERY(skills, $s, ANY $s.people.name != nil).@count >= 0 AND (%K == nil OR 1 == 1)", $0)
            }
            results.append(try found(NSCompoundPredicate(andPredicateWithSubpredicates: nested), context))
            return results
        }
        #expect(memory == sqlite)
    }

    @Test(
        "R95: key paths of thousands of keys in predicates, sort descriptors, columns and prefetching",
        arguments: StackKind.queried)
    func longPaths(_ kind: StackKind) throws {
        try Staff.stack(kind).fresh { context throws in
            for count in [500, 5_000, 50_000] {
                let path = Array(repeating: "boss", count: count).joined(separator: ".")
                let many = Array(repeating: "friends", count: count).joined(separator: ".")
                func attempt(_ what: String, _ change: (NSFetchRequest<any NSFetchRequestResult>) -> Void) {
                    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
                    change(request)
                    do { _ = try context.fetch(request) } catch let error as NSError {
                        #expect(error.domain == NSCocoaErrorDomain && error.code == NSCoreDataError, "\(what): \(error.code)")
                    }
                }
                attempt("predicate") { $0.predicate = NSPredicate(format: "%K == 'x'", path + ".name") }
                attempt("to-many predicate") { $0.predicate = NSPredicate(format: "ANY %K.name == 'x'", many) }
                attempt("count") { $0.predicate = NSPredicate(format: "%K.@count > 1", many) }
                attempt("subquery") {
                    $0.predicate = NSPredicate(format: "SUBQUERY(%K, $x, $x.%K == nil).@count > 1", many, path)
                }
                attempt("sort") { $0.sortDescriptors = [NSSortDescriptor(key: path + ".name", ascending: true)] }
                attempt("prefetching") { $0.relationshipKeyPathsForPrefetching = [path, many] }
                for columns in [[path + ".name"], [path], ["name", path + ".age"]] {
                    attempt("columns") {
                        $0.resultType = .dictionaryResultType
                        $0.propertiesToFetch = columns
                    }
                    attempt("groups") {
                        $0.resultType = .dictionaryResultType
                        $0.propertiesToFetch = columns
                        $0.propertiesToGroupBy = columns
                    }
                }
                let anna = try context.named("Anna", "Person")
                #expect(anna.value(forKeyPath: path + ".name") == nil)
                anna.setValue("x", forKeyPath: path + ".name")
                _ = anna.value(forKeyPath: many + ".name")
                #expect(anna.text("name") == "Anna")
            }
        }
    }

    @Test("R95: trees of 100,000 levels in fetches: an error, in every store", arguments: StackKind.queried)
    func deepTrees(_ kind: StackKind) throws {
        try Staff.stack(kind).fresh { context throws in
            var expression = NSExpression(forKeyPath: "age")
            for _ in 0..<100_000 { expression = NSExpression(forFunction: "abs:", arguments: [expression]) }
            var negation = NSPredicate(format: "age == 1")
            for _ in 0..<100_000 { negation = NSCompoundPredicate(notPredicateWithSubpredicate: negation) }
            _ = Unmanaged.passRetained(negation)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            for predicate in [NSPredicate(format: "%@ > 1", expression), negation] {
                request.predicate = predicate
                for copy in [request, try #require(request.copy() as? NSFetchRequest<NSManagedObject>)] {
                    let error = #expect(throws: NSError.self) { try context.fetch(copy) }
                    #expect(error?.code == NSCoreDataError, "\(String(describing: error))")
                    _ = copy.description
                }
            }
            let computed = NSExpressionDescription()
            computed.name = "x"
            computed.expression = expression
            let columns = NSFetchRequest<NSDictionary>(entityName: "Person")
            columns.resultType = .dictionaryResultType
            columns.propertiesToFetch = [computed]
            #expect(throws: NSError.self) { try context.fetch(columns) }
        }
    }

    @Test("R96: batch requests with a predicate that is too large for one statement find the same rows")
    func batches() throws {
        var predicate = NSPredicate(format: "age >= 40")
        for level in 0..<120 {
            predicate = NSCompoundPredicate(
                type: level.isMultiple(of: 2) ? .and : .or,
                subpredicates: [predicate, NSPredicate(format: level.isMultiple(of: 2) ? "age < %d" : "age == %d", 1000 + level)])
        }
        try Staff.stack(.sqlite).run { context throws in
            let update = NSBatchUpdateRequest(entityName: "Person")
            update.predicate = predicate
            update.propertiesToUpdate = ["small": 99]
            update.resultType = .updatedObjectsCountResultType
            #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 2)
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
            request.predicate = predicate
            let delete = NSBatchDeleteRequest(fetchRequest: request)
            delete.resultType = .resultTypeCount
            #expect((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int == 2)
        }
    }

    @Test(
        "R24: SUBQUERY over several to-many relationships goes through one collection, as ANY does", arguments: StackKind.queried
    )
    func subqueryOverSeveral(_ kind: StackKind) throws {
        let stack = try Staff.stack(kind)
        try stack.run { context throws in
            let (anna, bert, zoe) = (
                try context.named("Anna", "Person"), try context.named("bert", "Person"), try context.named("Zoe", "Person")
            )
            anna.set("friends", Set([bert]))
            bert.set("friends", Set([anna, zoe]))
            try context.save()
        }
        let questions: [(String, [String])] = [
            ("SUBQUERY(friends.friends, $f, $f.name == 'Zoe').@count > 0", ["Anna", "Zoe"]),
            ("ANY friends.friends.name == 'Zoe'", ["Anna", "Zoe"]),
            ("SUBQUERY(boss.friends.friends, $f, $f.name == 'Zoe').@count == 1", ["bert", "Émile"]),
            ("SUBQUERY(reports.skills, $s, $s.name == 'sql').@count == 1", ["Anna"]),
            ("reports.skills.@count == 1", ["Anna", "bert"]),
            ("team.members.skills.@count == 3", ["Anna", "bert", "Zoe", "Émile"]),
            (
                "SUBQUERY(friends, $f, SUBQUERY($f.friends.skills, $s, $s.name == 'c').@count > 0).@count > 0",
                ["Anna", "Zoe"]
            ),
            ("team.members.@sum.age == 50", ["Anna", "bert"]), ("friends.friends.@max.age == 50", ["Anna", "Zoe"]),
            ("SUBQUERY(friends.friends.skills, $s, $s.name == 'sql').@count == 2", ["Anna", "Zoe", "bert"]),
        ]
        try stack.fresh { context throws in
            for (format, names) in questions {
                let predicate = NSPredicate(format: format)
                #expect(try Staff.found(predicate, context) == names.sorted(), "\(format)")
                let everybody = try context.all("Person")
                #expect(
                    everybody.filter { predicate.evaluate(with: $0) }.map { $0.text("name") ?? "-" }.sorted() == names.sorted(),
                    "\(format)")
            }
        }
    }
}

import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import Testing

@Suite("Predicates of fetches")
struct PredicateQueryTests {
    /// Formats and whom they find.
    private static let questions: [(format: String, names: String)] = [
        // PRD-121: nil.
        ("name == nil", "-"), ("name != nil", "Anna Zoe bert Émile"), ("team == nil", "-"), ("score == nil", "Émile"),
        ("NOT name == nil AND team != nil", "Anna Zoe bert Émile"), ("nil != boss", "- bert Émile"),
        // PRD-122, PRD-123: nil differs from every value, with != and with NOT.
        ("name != 'Anna'", "- Zoe bert Émile"), ("NOT (name == 'Anna')", "- Zoe bert Émile"),
        ("NOT (name IN {'Anna', 'Zoe'})", "- bert Émile"), ("NOT (score > 2)", "- Anna Émile"),
        ("NOT (name BEGINSWITH 'A')", "- Zoe bert Émile"), ("NOT (name != 'Anna')", "Anna"),
        ("NOT (name == 'Anna' OR age > 15)", "-"), ("NOT (score > 2 AND flag == NO)", "- Anna Émile"),
        // PRD-124: no order with nil.
        ("score < 1000", "- Anna Zoe bert"), ("score >= 2.25", "Zoe bert"), ("score BETWEEN {1.5, 2.25}", "Anna bert"),
        ("score > nil", ""), ("age BETWEEN {30, 40}", "Anna Émile"), ("age BETWEEN {40, 30}", ""),
        // PRD-125, PRD-126: case and diacritics count unless an option says otherwise.
        ("name == 'anna'", ""), ("name ==[c] 'ANNA'", "Anna"), ("name ==[cd] 'emile'", "Émile"), ("name ==[c] 'emile'", ""),
        ("name CONTAINS 'e'", "Zoe bert Émile"), ("name CONTAINS[c] 'E'", "Zoe bert Émile"),
        ("name CONTAINS[cd] 'E'", "Zoe bert Émile"),
        ("name BEGINSWITH 'b'", "bert"), ("name BEGINSWITH[c] 'B'", "bert"), ("name BEGINSWITH ''", "Anna Zoe bert Émile"),
        ("name ENDSWITH 'a'", "Anna"), ("name LIKE 'A*'", "Anna"), ("name LIKE '*e*'", "Zoe bert Émile"), ("name LIKE 'a*'", ""),
        ("name LIKE '?nn?'", "Anna"), ("name LIKE[c] 'B?R*'", "bert"), ("name LIKE '*'", "Anna Zoe bert Émile"),
        ("name MATCHES '[A-Z].*'", "Anna Zoe"), ("name MATCHES[c] '[a-z]+'", "Anna Zoe bert"), ("name LIKE 'Anna'", "Anna"),
        ("name < 'Z'", "Anna"), ("name <[c] 'C'", "Anna bert"), ("name <[cd] 'F'", "Anna bert Émile"),
        ("name > 'a'", "bert Émile"),
        ("name IN 'Anna and bert'", "Anna bert"), ("'Anna and bert' CONTAINS name", "Anna bert"),
        ("name IN[c] {'ANNA', 'zoe'}", "Anna Zoe"), ("name ==[l] 'Anna'", "Anna"),
        // PRD-120: lists, arithmetic, functions, conditions.
        ("age IN {10, 20, 99}", "- bert"), ("score IN {nil, 100}", "Zoe Émile"), ("age IN {}", ""),
        ("NOT age IN {}", "- Anna Zoe bert Émile"),
        ("age + 10 == 40", "Anna"), ("age / 3 == 6", "bert"), ("age * score > 40", "Anna Zoe bert"),
        ("age - score == 17.75", "bert"),
        ("age / 0 == nil", "- Anna Zoe bert Émile"), ("modulus:by:(age, 20) == 10", "- Anna Zoe"), ("-age < -35", "Zoe Émile"),
        ("2 ** small == 8", "bert"), ("small & 1 == 1", "bert Émile"), ("small | 1 == 7", "Anna"), ("small ^ 3 == 5", "Anna"),
        ("small << 1 == 6", "bert"), ("small >> 1 == 3", "Anna"), ("~small == -4", "bert"), ("abs:(score) == 1", "-"),
        ("ceiling:(score) == 2", "Anna"), ("sqrt:(score) == 1.5", "bert"), ("uppercase:(name) == 'BERT'", "bert"),
        ("lowercase:(name) == 'anna'", "Anna"), ("canonical:(name) == 'emile'", "Émile"), ("name.length == 5", "Émile"),
        ("TERNARY(score == nil, 5, score) > 3", "Zoe Émile"), ("TERNARY(flag == YES, name, 'x') == 'x'", "Zoe bert Émile"),
        ("price == 10.11", "Anna"), ("price + 1 == 1.1", "-"), ("price * 3 == 0.3", "-"), ("price < 3", "-"),
        ("flag == TRUE", "- Anna"),
        ("flag == 0", "Zoe bert"), ("born < CAST(0, 'NSDate')", "-"), ("CAST(born, 'NSNumber') == 1000.5", "bert"),
        ("born + 1000 == CAST(3000, 'NSDate')", "Zoe"), ("born < now()", "- Anna Zoe bert"), ("score == age", ""),
        ("boss.age > age", "- bert"),
        ("TRUEPREDICATE", "- Anna Zoe bert Émile"), ("FALSEPREDICATE OR age == 10", "-"),
        // PRD-78, PRD-140: paths over to-one relationships; nil on the way is nil at the end.
        ("team.name == 'red'", "Anna bert"), ("team.name == nil", "-"), ("team.name != 'red'", "- Zoe Émile"),
        ("boss.boss.name == 'Anna'", "-"), ("boss.boss == nil", "Anna Zoe bert Émile"),
        ("boss.team.name == 'red' AND team.name == 'blue'", "Émile"),
        ("team == boss.team", "bert"), ("team != boss.team", "- Anna Zoe Émile"),
        // PRD-120: to-many relationships.
        ("ANY skills.name == 'sql'", "Anna Zoe bert"), ("SOME skills.name BEGINSWITH 's'", "Anna Zoe bert"),
        ("NONE skills.name == 'sql'", "- Émile"), ("ANY skills.name IN {'c', 'x'}", "- Zoe"), ("ANY skills.name == nil", ""),
        ("skills.@count == 2", "Anna"), ("skills.@count == 0", "Émile"), ("tasks.@count > 0", "Anna Émile"),
        ("reports.@sum.age == 60", "Anna"), ("reports.@avg.age > 25", "Anna"), ("reports.@max.age == 40", "Anna"),
        ("reports.@min.age == 10", "bert"), ("reports.@sum.age == 0", "- Zoe Émile"), ("reports.@avg.age == nil", "- Zoe Émile"),
        ("reports.@sum.price == 3", "Anna"), ("reports.@max.name == 'Émile'", "Anna"), ("reports.age.@max == 40", "Anna"),
        ("ANY reports.team.name == 'blue'", "Anna"), ("ANY reports.team == nil", "bert"),
        ("ANY reports.skills.name == 'sql'", "Anna"),
        ("boss.skills.@count == 2", "bert Émile"), ("ANY boss.skills.name == 'swift'", "bert Émile"),
        ("SUBQUERY(reports, $x, $x.age > 25).@count == 1", "Anna"), ("SUBQUERY(skills, $s, $s.name == 'c').@count > 0", "- Zoe"),
        ("SUBQUERY(reports, $x, $x.age > 5 AND ANY $x.skills.name == 'c').@count == 1", "bert"),
        ("SUBQUERY(reports, $x, $x.age < SELF.age).@count == 1", "Anna bert"),
        ("SUBQUERY(reports, $x, SUBQUERY($x.skills, $y, $y.name == 'sql').@count > 0).@count > 0", "Anna"),
        ("count:(reports) == 2", "Anna"), ("ANY badges.name == 'x'", ""), ("ANY friends.name == 'x'", ""),
        // PRD-130: ALL is here.
        ("ALL skills.name BEGINSWITH 's'", "Anna bert Émile"), ("ALL reports.age > 30", "- Zoe Émile"),
        ("ALL skills.name != 'c'", "Anna bert Émile"),
        // PRD-138: each ANY may have its own member.
        ("ANY skills.name == 'c' AND ANY skills.name == 'sql'", "Zoe"),
        ("SUBQUERY(skills, $s, $s.name == 'c' AND $s.name == 'sql').@count > 0", ""),
        // Dates have floating-point arithmetic, also those of whole seconds, which a file keeps as integers.
        ("born + 9007199254740993 - 9007199254740992 == CAST(0, 'NSDate')", "Anna"),
        ("9007199254740993 + born - 9007199254740992 < CAST(-4.5, 'NSDate')", "-"),
        ("born - 9007199254740993 + 9007199254740992 == CAST(2000, 'NSDate')", "Zoe"),
        ("(born + 9007199254740993) - (born + 1) == 9007199254740991", "- Anna Zoe"),
        ("TERNARY(age > 15, born, born) + 9007199254740993 == CAST(9007199254740992, 'NSDate')", "Anna"),
    ]

    @Test("PRD-120 to PRD-140: what predicates find, in SQL and in memory", arguments: StackKind.queried)
    func questions(_ kind: StackKind) throws {
        let stack = try Staff.stack(kind)
        try stack.fresh { context throws in
            let people = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
            for (format, names) in Self.questions {
                let predicate = NSPredicate(format: format)
                let found = try Staff.found(predicate, context)
                #expect(found == names.split(separator: " ").map(String.init), "\(format)")
                let inMemory = try people.filter { try predicate.evaluate(validating: $0) }.map { $0.text("name") ?? "-" }
                    .sorted()
                #expect(inMemory == found, "\(format) in memory")
                #expect(try predicate.isQuery(stack.model), "\(format) is for memory only")
            }
        }
    }

    @Test(
        "PRD-143: digits and their number are equal, as in the columns of Apple's stores, and with unsaved changes too",
        arguments: StackKind.queried)
    func digits(_ kind: StackKind) throws {
        let questions = [
            ("age == '30'", "Anna"), ("'30' == age", "Anna"), ("age != '30'", "- Zoe bert Émile"), ("age == '030'", nil),
            ("age IN {'10', 20, '30'}", "- Anna bert"), ("score == '100'", "Zoe"), ("name == 5", ""),
            ("name != 5", "- Anna Zoe bert Émile"), ("name IN {1, 'Anna', 2.0}", "Anna"), ("name ==[cd] 7", ""),
            ("NOT name IN {1, 2}", "- Anna Zoe bert Émile"), ("team.name == 9", "bert"), ("9 == team.name", "bert"),
            ("team.name IN {9.0, 10}", "bert"),
            ("age + 9007199254740983 - CAST('0', 'NSDecimalNumber') == 9007199254740993", "-"),
            ("ANY reports.team.name == 9", "Anna"),
        ]
        try Staff.stack(kind).fresh { context throws in
            let bert = try context.named("bert", "Person")
            bert.set("team", context.make("Team", ["name": "9"]))
            try context.save()
            for isChanged in [false, true] {
                let people = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
                if isChanged { for person in people { person.set("small", 77) } }
                for (format, names) in questions {
                    let found = try? Staff.found(NSPredicate(format: format), context)
                    #expect(found == names?.split(separator: " ").map(String.init), "\(format), \(isChanged)")
                }
            }
        }
    }

    @Test(
        "PRD-74…77, PRD-134: objects, IDs and entities as values; objects of another context count by ID",
        arguments: StackKind.queried)
    func objects(_ kind: StackKind) throws {
        let stack = try Staff.stack(kind)
        let other = stack.newContext()
        let (id, otherAnna) = try other.run { context in
            let anna = try context.named("Anna", "Person")
            return (anna.objectID, anna)
        }
        try stack.fresh { context throws in
            let anna = try context.named("Anna", "Person")
            let bert = try context.named("bert", "Person")
            let team = try context.named("red", "Team")
            let manager = stack.model.entitiesByName["Manager"]
            func found(_ format: String, _ arguments: Any?..., names: String, entity: String = "Person") throws {
                let predicate = NSPredicate(format: format, argumentArray: arguments.map { $0 ?? NSNull() })
                #expect(try Staff.found(predicate, context, entity) == names.split(separator: " ").map(String.init), "\(format)")
                #expect(try predicate.isQuery(stack.model, entity), "\(format) is for memory only")
            }
            for same in [anna, id, otherAnna] as [Any] {
                try found("boss == %@", same, names: "bert Émile")
                try found("boss != %@", same, names: "- Anna Zoe")
                try found("SELF == %@", same, names: "Anna")
                try found("objectID == %@", same, names: "Anna")
                try found("boss.objectID == %@", same, names: "bert Émile")
                try found("SELF IN %@", [same, bert], names: "Anna bert")
                try found("boss IN %@", [same, bert], names: "- bert Émile")
                try found("NOT (SELF IN %@)", [same, bert], names: "- Zoe Émile")
                try found("%@ IN reports.boss", same, names: "Anna")
                try found("boss IN reports", names: "")
            }
            try found("reports CONTAINS %@", bert, names: "Anna")
            try found("%@ IN reports", bert, names: "Anna")
            try found("ANY reports == %@", bert, names: "Anna")
            try found("ANY reports IN %@", [bert, anna], names: "Anna")
            try found("team == %@", team, names: "Anna bert")
            try found("team IN %@", Set([team]), names: "Anna bert")
            try found("ANY members == %@", bert, names: "red", entity: "Team")
            try found("boss == %@", nil, names: "Anna Zoe")
            // An object of another entity is nobody's boss, whatever its key.
            try found("boss == %@", team, names: "")
            try found("boss != %@", team, names: "- Anna Zoe bert Émile")
            try found("entity == %@", manager, names: "Zoe")
            try found("entity != %@", manager, names: "- Anna bert Émile")
            try found("code == %@", Staff.code, names: "Anna")
            try found("code != %@", Staff.code, names: "- Zoe bert Émile")
            try found("page == %@", URL(string: "https://example.org/anna"), names: "Anna")
            try found("photo == %@", Data([1, 2]), names: "Anna")
            try found("code IN %@", [Staff.code, UUID()], names: "Anna")
            try found("born >= %@", Date(timeIntervalSinceReferenceDate: 1000.5), names: "Zoe bert")
            try found("level == 3 AND office.name == 'corner'", names: "Zoe", entity: "Manager")
        }
    }

    @Test(
        "PRD-133: an object that is not saved yet is in no row; unsaved changes are tested with it", arguments: StackKind.queried
    )
    func temporaryIDs(_ kind: StackKind) throws {
        let stack = try Staff.stack(kind)
        try stack.fresh { context throws in
            let boss = context.make("Person", ["name": "new"])
            #expect(try Staff.found(NSPredicate(format: "boss == %@", boss), context) == [])
            #expect(try Staff.found(NSPredicate(format: "SELF == %@", boss), context) == ["new"])
            try context.named("Zoe", "Person").set("boss", boss)
            #expect(try Staff.found(NSPredicate(format: "boss == %@", boss), context) == ["Zoe"])
            #expect(try Staff.found(NSPredicate(format: "boss == %@", boss.objectID), context) == ["Zoe"])
            #expect(try Staff.found(NSPredicate(format: "boss != %@ AND boss != nil", boss), context) == ["-", "bert", "Émile"])
            try context.save()
            #expect(try Staff.found(NSPredicate(format: "boss == %@", boss), context) == ["Zoe"])
        }
    }

    @Test("PRD-135, PRD-136: IN with any number of values", arguments: StackKind.queried)
    func longLists(_ kind: StackKind) throws {
        let stack = try Staff.stack(kind)
        try stack.fresh { context throws in
            for count in [0, 1, 2, 1000, 100_001] {
                let names = (0..<count).map { "x\($0)" } + ["Zoe"]
                #expect(try Staff.found(NSPredicate(format: "name IN %@", names), context) == ["Zoe"])
                #expect(try Staff.found(NSPredicate(format: "NOT name IN %@", names), context).count == 4)
            }
            #expect(try Staff.found(NSPredicate(format: "age IN %@", Set(0..<100_001)), context).count == 5)
            #expect(
                try Staff.found(NSPredicate(format: "score IN %@", (0..<2000).map { Double($0) / 4 }), context) == [
                    "Anna", "Zoe", "bert",
                ])
            #expect(try Staff.found(NSPredicate(format: "name IN %@", [String]()), context) == [])
            #expect(try Staff.found(NSPredicate(format: "NOT name IN %@", [String]()), context).count == 5)
        }
    }

    @Test("PRD-101: evaluating a predicate fires faults, along its paths too", arguments: StackKind.queried)
    func faults(_ kind: StackKind) throws {
        let stack = try Staff.stack(kind)
        let id = try stack.run { context throws in try context.named("bert", "Person").objectID }
        try stack.fresh { context throws in
            let bert = context.object(with: id)
            #expect(bert.isFault)
            #expect(NSPredicate(format: "age == 20 AND boss.name == 'Anna'").evaluate(with: bert))
            #expect(!bert.isFault && bert.one("boss")?.isFault == false)
        }
    }

    @Test("Thousands of conditions in one predicate", arguments: StackKind.queried)
    func manyConditions(_ kind: StackKind) throws {
        let stack = try Staff.stack(kind)
        try stack.fresh { context throws in
            let equalities = (0..<3000).map { NSPredicate(format: "age == %d", $0 * 20) }
            #expect(try Staff.found(NSCompoundPredicate(orPredicateWithSubpredicates: equalities), context) == ["bert", "Émile"])
            let ranges = (0..<3000).map { NSPredicate(format: "age < %d OR name == nil", 1000 + $0) }
            #expect(try Staff.found(NSCompoundPredicate(andPredicateWithSubpredicates: ranges), context).count == 5)
            var nested = NSPredicate(format: "age == 10")
            for age in 0..<3000 {
                nested = NSCompoundPredicate(orPredicateWithSubpredicates: [nested, NSPredicate(format: "age == %d", age * 20)])
            }
            #expect(try Staff.found(nested, context) == ["-", "bert", "Émile"])
        }
    }

    @Test("Values are bound, whatever is in them", arguments: StackKind.queried)
    func injection(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let names = ["'; DROP TABLE ZPERSON; --", "?1", "a\0b", "%", "_", "\\", "\"", "", "😀", "e\u{301}", "\u{e9}"]
            for name in names { context.make("Person", ["name": name]) }
            try context.save()
            for name in names {
                for format in ["name == %@", "name BEGINSWITH %@ AND name ENDSWITH %@", "name IN %@"] {
                    let predicate = NSPredicate(
                        format: format, argumentArray: format.hasSuffix("IN %@") ? [[name, "no"]] : [name, name])
                    let found = try Staff.found(predicate, context)
                    #expect(
                        found.contains { $0.utf8.elementsEqual(name.utf8) } && (name.isEmpty || found.count == 1),
                        "\(format) \(name)")
                }
            }
        }
    }

    @Test("PRD-129: closures are evaluated in memory, together with what the store can tell", arguments: StackKind.queried)
    func closures(_ kind: StackKind) throws {
        let stack = try Staff.stack(kind)
        try stack.fresh { context throws in
            var tested: [String] = []
            let block = NSPredicate { object, _ in
                tested.append((object as? NSManagedObject)?.text("name") ?? "-")
                return (object as? NSManagedObject)?.number("age") == 20
            }
            #expect(try Staff.found(block, context) == ["bert"])
            #expect(Set(tested) == ["Anna", "bert", "Émile", "-", "Zoe"])
            tested = []
            let both = NSCompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(format: "age < 30"), block])
            #expect(try Staff.found(both, context) == ["bert"])
            #expect(Set(tested) == ["-", "bert"])
            let either = NSCompoundPredicate(orPredicateWithSubpredicates: [NSPredicate(format: "name == 'Zoe'"), block])
            #expect(try Staff.found(either, context) == ["Zoe", "bert"])
            #expect(try !either.isQuery(stack.model) && !both.isQuery(stack.model))
        }
    }

    @Test("PRD-139, PRD-132: what SQL has no exact words for is evaluated in memory", arguments: StackKind.queried)
    func memoryOnly(_ kind: StackKind) throws {
        let stack = try Staff.stack(kind)
        try stack.run { context throws in
            try context.named("Anna", "Person").set("tags", ["x", "y"])
            try context.save()
        }
        try stack.fresh { context throws in
            for (format, names) in [
                ("tasks[FIRST].name == 'one'", "Anna"), ("tasks[SIZE] == 1", "Émile"), ("tags != nil", "Anna"),
                ("tags == nil", "- Zoe bert Émile"),
                ("ANY tags == 'x'", "Anna"), ("name.uppercaseString == 'ANNA'", "Anna"), ("price / 3 == 1", "bert"),
                ("max:(age, score) == 100", "Zoe"),
            ] {
                let predicate = NSPredicate(format: format)
                #expect(try Staff.found(predicate, context) == names.split(separator: " ").map(String.init), "\(format)")
            }
            let tags = NSPredicate(format: "tags == %@", ["x", "y"])
            #expect(try Staff.found(tags, context) == ["Anna"])
        }
    }

    @Test("A predicate with other constants uses the same statement")
    func shapes() throws {
        let stack = try Staff.stack(.sqlite)
        func condition(_ format: String, _ arguments: Any?...) throws -> RowPredicateText {
            try RowPredicateText(NSPredicate(format: format, argumentArray: arguments.map { $0 ?? NSNull() }), stack.model)
        }
        #expect(try condition("age > %d AND name == %@", 1, "a") == condition("age > %d AND name == %@", 2, "b"))
        #expect(try condition("age IN %@", [1, 2]) == condition("age IN %@", [3, 4, 5]))
        #expect(try condition("age > 1") != condition("age < 1"))
        #expect(try condition("age > 1") != condition("small > 1"))
    }
}

import DataModel
import Foundation
import FoundationGaps
import GraphTestSupport
import ObjectGraph
import Predicates
import Testing

@Suite("Sort orders of fetches")
struct SortQueryTests {
    private static func names(
        _ context: NSManagedObjectContext, _ descriptors: NSSortDescriptor..., limit: Int = 0, offset: Int = 0
    ) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.sortDescriptors = descriptors
        request.fetchLimit = limit
        request.fetchOffset = offset
        return try context.fetch(request).map { $0.text("name") ?? "-" }
    }

    /// Saved objects come sorted by the store, unsaved ones are sorted in memory.
    private static func both(_ kind: StackKind, _ names: [String?], _ body: (NSManagedObjectContext) throws -> Void) throws {
        try TestStack.people(kind).run { context throws in
            for name in names.shuffled() { context.make("Person", ["name": name]) }
            try body(context)
            try context.save()
            try body(context)
        }
    }

    @Test("FET-64, FET-70: the selectors of texts, in the store and in memory", arguments: StackKind.queried)
    func selectors(_ kind: StackKind) throws {
        try Self.both(kind, ["b", "A", "a2", "a10", "C", nil]) { context throws in
            func sorted(_ selector: Selector?, ascending: Bool = true) throws -> [String] {
                try Self.names(context, NSSortDescriptor(key: "name", ascending: ascending, selector: selector))
            }
            for selector in [nil, "compare:"] as [Selector?] {
                #expect(try sorted(selector) == ["-", "A", "C", "a10", "a2", "b"])
            }
            #expect(try sorted("compare:", ascending: false) == ["b", "a2", "a10", "C", "A", "-"])
            #expect(try sorted("caseInsensitiveCompare:") == ["-", "A", "a10", "a2", "b", "C"])
            #expect(try sorted("localizedStandardCompare:") == ["-", "A", "a2", "a10", "b", "C"])
            #expect(try sorted("localizedStandardCompare:", ascending: false) == ["C", "b", "a10", "a2", "A", "-"])
            #expect(try sorted("localizedCaseInsensitiveCompare:").first == "-")
            #expect(Set(try sorted("localizedCompare:")) == ["-", "A", "a2", "a10", "b", "C"])
        }
    }

    @Test("FET-60, FET-67: several keys, paths over to-one relationships, with limit and offset", arguments: StackKind.queried)
    func paths(_ kind: StackKind) throws {
        let stack = try Staff.stack(kind)
        try stack.fresh { context throws in
            let team = NSSortDescriptor(key: "team.name", ascending: true)
            let age = NSSortDescriptor(key: "age", ascending: false)
            #expect(try Self.names(context, team, age) == ["-", "Zoe", "Émile", "Anna", "bert"])
            #expect(try Self.names(context, team, age, limit: 2, offset: 1) == ["Zoe", "Émile"])
            #expect(
                try Self.names(context, NSSortDescriptor(key: "team.name", ascending: false), age) == [
                    "Anna", "bert", "Zoe", "Émile", "-",
                ])
            #expect(
                try Self.names(
                    context, NSSortDescriptor(key: "boss.boss.name", ascending: false),
                    NSSortDescriptor(key: "boss.name", ascending: true), age)
                    == ["-", "Zoe", "Anna", "Émile", "bert"])
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = NSPredicate(format: "team.name == 'blue' OR boss.team.name == 'red'")
            request.sortDescriptors = [team, NSSortDescriptor(key: "boss.age", ascending: false)]
            #expect(
                try context.fetch(request).map { $0.text("name") ?? "-" } == ["-", "Émile", "Zoe", "bert"] || kind == .sqlite)
        }
    }

    @Test("FET-61, FET-66: nil first; booleans, dates, numbers, UUIDs by value", arguments: StackKind.queried)
    func types(_ kind: StackKind) throws {
        let stack = try Staff.stack(kind)
        try stack.fresh { context throws in
            func sorted(_ key: String) throws -> [String] {
                try Self.names(
                    context, NSSortDescriptor(key: key, ascending: true), NSSortDescriptor(key: "age", ascending: true))
            }
            #expect(try sorted("flag") == ["Émile", "bert", "Zoe", "-", "Anna"])
            #expect(try sorted("born") == ["Émile", "-", "Anna", "bert", "Zoe"])
            #expect(try sorted("score") == ["Émile", "-", "Anna", "bert", "Zoe"])
            #expect(try sorted("price") == ["Émile", "-", "bert", "Zoe", "Anna"])
            #expect(try sorted("code") == ["-", "bert", "Émile", "Zoe", "Anna"])
        }
    }

    @Test("A comparator sorts in memory", arguments: StackKind.queried)
    func comparator(_ kind: StackKind) throws {
        let stack = try Staff.stack(kind)
        try stack.fresh { context throws in
            let byLastDigit = NSSortDescriptor(key: "age", ascending: true) { a, b in
                let (a, b) = ((a as? Int ?? 0) % 40, (b as? Int ?? 0) % 40)
                return a < b ? .orderedAscending : a > b ? .orderedDescending : .orderedSame
            }
            #expect(
                try Self.names(context, byLastDigit, NSSortDescriptor(key: "age", ascending: true), limit: 3) == [
                    "Émile", "-", "Zoe",
                ])
        }
    }
}

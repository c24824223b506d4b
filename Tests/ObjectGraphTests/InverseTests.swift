import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("Both sides of a relationship")
struct InverseTests {
    /// Whether the objects are new, saved and loaded, or faults when they are related.
    enum Stage: String, CaseIterable, CustomTestStringConvertible {
        case new
        case saved
        case fault

        var testDescription: String { rawValue }
    }

    static let settings = StackKind.allCases.flatMap { kind in Stage.allCases.map { (kind, $0) } }

    /// Makes objects with names in a store of the `People` model, brings them to a stage, relates them, and checks the graph: at once,
    /// after a save, and as another context reads it.
    private static func with(
        _ setting: (StackKind, Stage), _ entities: [(String, [String])], setUp: ([String: Recorder]) -> Void = { _ in },
        _ change: (NSManagedObjectContext, [String: Recorder]) -> Void, expect: ([String: NSManagedObject], String) -> Void
    ) throws {
        let stack = try TestStack.people(setting.0)
        let names = entities.flatMap { entity, names in names.map { (entity, $0) } }
        try stack.run { context throws in
            var objects: [String: Recorder] = [:]
            for (entity, name) in names { objects[name] = context.make(entity, ["name": name]) }
            setUp(objects)
            context.check()
            if setting.1 != .new { try context.save() }
            if setting.1 == .fault { for object in objects.values { context.refresh(object, mergeChanges: false) } }
            change(context, objects)
            context.check()
            expect(objects, "at once")
            context.processPendingChanges()
            expect(objects, "after processing")
            try context.save()
            expect(objects, "after the save")
            context.refreshAllObjects()
            expect(objects, "after refreshing")
        }
        try stack.fresh { context throws in
            var objects: [String: NSManagedObject] = [:]
            for (entity, name) in names { objects[name] = try context.named(name, entity) }
            expect(objects, "in another context")
        }
    }

    @Test("OG-140, OG-141: a to-one sets the to-many, and moves between to-manys", arguments: settings)
    func toOneSide(_ setting: (StackKind, Stage)) throws {
        try Self.with(setting, [("Person", ["a", "b", "c"]), ("Team", ["p", "q"])]) { o in
            for name in ["a", "b", "c"] { o[name]?.set("team", o["p"]) }
        } _: { _, o in
            o["a"]?.set("team", o["q"])
            o["c"]?.set("team", nil)
        } expect: { o, moment in
            #expect(o["p"]?.names("members") == ["b"], "\(moment)")
            #expect(o["q"]?.names("members") == ["a"], "\(moment)")
            #expect(["a", "b", "c"].map { o[$0]?.one("team")?.text("name") } == ["q", "p", nil], "\(moment)")
        }
    }

    @Test("OG-142, NTF-72: assigning a to-many sets the to-ones, also those of members of another owner", arguments: settings)
    func toManySide(_ setting: (StackKind, Stage)) throws {
        try Self.with(setting, [("Person", ["a", "b", "c", "d"]), ("Team", ["p", "q"])]) { o in
            o["p"]?.set("members", [o["a"], o["b"]].compactMap { $0 })
            o["q"]?.set("members", [o["c"]].compactMap { $0 })
        } _: { _, o in
            o["p"]?.set("members", [o["b"], o["c"], o["d"]].compactMap { $0 })
        } expect: { o, moment in
            #expect(o["p"]?.names("members") == ["b", "c", "d"], "\(moment)")
            #expect(o["q"]?.names("members") == [], "\(moment)")
            #expect(["a", "b", "c", "d"].map { o[$0]?.one("team")?.text("name") } == [nil, "p", "p", "p"], "\(moment)")
        }
    }

    @Test("OG-143: many-to-many is symmetric, from either side", arguments: settings)
    func manyToMany(_ setting: (StackKind, Stage)) throws {
        try Self.with(setting, [("Person", ["a", "b"]), ("Skill", ["x", "y", "z"])]) { o in
            o["a"]?.set("skills", [o["x"], o["y"]].compactMap { $0 })
            o["y"]?.set("people", [o["a"], o["b"]].compactMap { $0 })
        } _: { _, o in
            if let z = o["z"] { o["a"]?.add(z, to: "skills") }
            if let a = o["a"] { o["x"]?.remove(a, from: "people") }
            if let b = o["b"] { o["x"]?.add(b, to: "people") }
        } expect: { o, moment in
            #expect(o["a"]?.names("skills") == ["y", "z"], "\(moment)")
            #expect(o["b"]?.names("skills") == ["x", "y"], "\(moment)")
            #expect(o["x"]?.names("people") == ["b"], "\(moment)")
            #expect(o["y"]?.names("people") == ["a", "b"], "\(moment)")
            #expect(o["z"]?.names("people") == ["a"], "\(moment)")
        }
    }

    @Test("OG-144, NTF-74: one-to-one displaces the partners on both sides", arguments: settings)
    func oneToOne(_ setting: (StackKind, Stage)) throws {
        for fromOtherSide in [false, true] {
            try Self.with(setting, [("Person", ["a1", "a2"]), ("Desk", ["b1", "b2"])]) { o in
                o["a1"]?.set("desk", o["b1"])
                o["a2"]?.set("desk", o["b2"])
            } _: { context, o in
                if fromOtherSide { o["b2"]?.set("owner", o["a1"]) } else { o["a1"]?.set("desk", o["b2"]) }
                #expect(context.updatedObjects.isSuperset(of: o.values.filter { !$0.isInserted }))
            } expect: { o, moment in
                #expect(o["a1"]?.one("desk") === o["b2"], "\(moment)")
                #expect(o["b2"]?.one("owner") === o["a1"], "\(moment)")
                #expect(o["b1"]?.one("owner") == nil, "\(moment)")
                #expect(o["a2"]?.one("desk") == nil, "\(moment)")
            }
        }
    }

    @Test("OG-145: a one-to-one of an entity with itself", arguments: settings)
    func selfOneToOne(_ setting: (StackKind, Stage)) throws {
        try Self.with(setting, [("Person", ["a", "b", "c", "d", "e"])]) { o in
            o["a"]?.set("spouse", o["b"])
            o["c"]?.set("spouse", o["d"])
            o["e"]?.set("spouse", o["e"])
        } _: { _, o in
            #expect(o["b"]?.one("spouse") === o["a"] && o["e"]?.one("spouse") === o["e"])
            o["a"]?.set("spouse", o["c"])
        } expect: { o, moment in
            let partners = ["a", "b", "c", "d", "e"].map { o[$0]?.one("spouse")?.text("name") }
            #expect(partners == ["c", nil, "a", nil, "e"], "\(moment)")
        }
        try Self.with(setting, [("Person", ["a", "b", "e"])]) { o in
            o["a"]?.set("spouse", o["b"])
            o["e"]?.set("spouse", o["e"])
        } _: { _, o in
            o["a"]?.set("spouse", o["a"])
            o["e"]?.set("spouse", nil)
        } expect: { o, moment in
            #expect(["a", "b", "e"].map { o[$0]?.one("spouse")?.text("name") } == ["a", nil, nil], "\(moment)")
        }
    }

    @Test("OG-145: a many-to-many of an entity with itself", arguments: settings)
    func selfManyToMany(_ setting: (StackKind, Stage)) throws {
        try Self.with(setting, [("Person", ["a", "b", "c"])]) { o in
            o["a"]?.set("friends", [o["a"], o["b"]].compactMap { $0 })
        } _: { _, o in
            guard let a = o["a"], let b = o["b"], let c = o["c"] else { return }
            #expect(b.names("friends") == ["a"])
            b.add(c, to: "friends")
            a.remove(b, from: "friends")
            c.add(c, to: "friends")
        } expect: { o, moment in
            #expect(o["a"]?.names("friends") == ["a"], "\(moment)")
            #expect(o["b"]?.names("friends") == ["c"], "\(moment)")
            #expect(o["c"]?.names("friends") == ["b", "c"], "\(moment)")
        }
    }

    @Test("OG-140, OG-141: two relationships of an entity with itself, subentity objects among them", arguments: settings)
    func hierarchy(_ setting: (StackKind, Stage)) throws {
        try Self.with(setting, [("Person", ["a", "b", "c"]), ("Manager", ["m", "n"])]) { o in
            for name in ["a", "b", "n"] { o[name]?.set("boss", o["m"]) }
        } _: { _, o in
            o["b"]?.set("boss", o["n"])
            o["n"]?.set("reports", [o["b"], o["c"]].compactMap { $0 })
            o["m"]?.set("boss", o["m"])
        } expect: { o, moment in
            #expect(o["m"]?.names("reports") == ["a", "m", "n"], "\(moment)")
            #expect(o["n"]?.names("reports") == ["b", "c"], "\(moment)")
            #expect(
                ["a", "b", "c", "m", "n"].map { o[$0]?.one("boss")?.text("name") } == ["m", "n", "n", "m", "m"], "\(moment)")
            #expect(o["a"]?.one("boss")?.entity.name == "Manager", "\(moment)")
        }
    }

    @Test("OG-140, OG-144: a relationship that only a subentity has", arguments: settings)
    func ofSubentity(_ setting: (StackKind, Stage)) throws {
        try Self.with(setting, [("Manager", ["m", "n"]), ("Desk", ["d"])]) { o in
            o["m"]?.set("office", o["d"])
        } _: { _, o in
            o["d"]?.set("manager", o["n"])
        } expect: { o, moment in
            #expect(o["m"]?.one("office") == nil && o["n"]?.one("office") === o["d"], "\(moment)")
            #expect(o["d"]?.one("manager") === o["n"], "\(moment)")
        }
    }

    @Test("OG-146: setting the to-one appends at the end of the owner's order", arguments: settings)
    func orderedAppend(_ setting: (StackKind, Stage)) throws {
        try Self.with(setting, [("Person", ["p", "q"]), ("Task", ["c", "a", "b", "d", "e"])]) { o in
            for name in ["c", "a", "b"] { o[name]?.set("worker", o["p"]) }
        } _: { _, o in
            o["e"]?.set("worker", o["p"])
            o["d"]?.set("worker", o["p"])
            o["a"]?.set("worker", o["q"])
        } expect: { o, moment in
            #expect(o["p"]?.nameList("tasks") == ["c", "b", "e", "d"], "\(moment)")
            #expect(o["q"]?.nameList("tasks") == ["a"], "\(moment)")
            #expect(o["a"]?.one("worker") === o["q"], "\(moment)")
        }
        try Self.with(setting, [("Person", ["p"]), ("Task", ["a", "b", "c"])]) { o in
            for name in ["a", "b", "c"] { o[name]?.set("worker", o["p"]) }
        } _: { _, o in
            o["a"]?.set("worker", nil)
            o["a"]?.set("worker", o["p"])
        } expect: { o, moment in
            #expect(o["p"]?.nameList("tasks") == ["b", "c", "a"], "\(moment)")
        }
    }

    @Test("OG-147: members are inserted and moved by assigning the new order", arguments: settings)
    func orderedMoves(_ setting: (StackKind, Stage)) throws {
        try Self.with(setting, [("Person", ["p"]), ("Task", ["a", "b", "c", "x"])]) { o in
            o["p"]?.set("tasks", ["a", "b", "c"].compactMap { o[$0] })
        } _: { _, o in
            o["p"]?.set("tasks", NSOrderedSet(array: ["c", "x", "b", "a"].compactMap { o[$0] }))
        } expect: { o, moment in
            #expect(o["p"]?.nameList("tasks") == ["c", "x", "b", "a"], "\(moment)")
            #expect(["a", "b", "c", "x"].allSatisfy { o[$0]?.one("worker") === o["p"] }, "\(moment)")
        }
    }

    @Test("OG-148: an ordered side of a many-to-many keeps its order, the other side is a set", arguments: settings)
    func orderedManyToMany(_ setting: (StackKind, Stage)) throws {
        try Self.with(setting, [("Person", ["p", "q"]), ("Song", ["x", "y", "z"])]) { o in
            o["p"]?.set("playlist", ["z", "x"].compactMap { o[$0] })
            o["q"]?.set("playlist", ["x", "y"].compactMap { o[$0] })
        } _: { _, o in
            o["p"]?.set("playlist", ["y", "x", "z"].compactMap { o[$0] })
            o["z"]?.set("listeners", [o["p"], o["q"]].compactMap { $0 })
        } expect: { o, moment in
            #expect(o["p"]?.nameList("playlist") == ["y", "x", "z"], "\(moment)")
            #expect(o["q"]?.nameList("playlist") == ["x", "y", "z"], "\(moment)")
            #expect(["x", "y", "z"].allSatisfy { o[$0]?.names("listeners") == ["p", "q"] }, "\(moment)")
        }
    }

    @Test("OG-148: both sides of a many-to-many ordered, each in its own order", arguments: settings)
    func bothOrdered(_ setting: (StackKind, Stage)) throws {
        try Self.with(setting, [("Song", ["x", "y", "z"]), ("Badge", ["a", "b"])]) { o in
            o["a"]?.set("songs", ["z", "y", "x"].compactMap { o[$0] })
            o["b"]?.set("songs", ["x"].compactMap { o[$0] })
        } _: { _, o in
            #expect(o["x"]?.nameList("charts") == ["a", "b"])
            o["x"]?.set("charts", ["b", "a"].compactMap { o[$0] })
            o["b"]?.set("songs", ["y", "x"].compactMap { o[$0] })
        } expect: { o, moment in
            #expect(o["a"]?.nameList("songs") == ["z", "y", "x"], "\(moment)")
            #expect(o["b"]?.nameList("songs") == ["y", "x"], "\(moment)")
            #expect(o["x"]?.nameList("charts") == ["b", "a"], "\(moment)")
            #expect(o["y"]?.nameList("charts") == ["a", "b"], "\(moment)")
            #expect(o["z"]?.nameList("charts") == ["a"], "\(moment)")
        }
    }

    @Test("OG-149: a member is added once only and keeps its place", arguments: settings)
    func addedTwice(_ setting: (StackKind, Stage)) throws {
        try Self.with(setting, [("Person", ["p"]), ("Task", ["a", "b"])]) { o in
            o["p"]?.set("tasks", ["a", "b"].compactMap { o[$0] })
        } _: { _, o in
            o["a"]?.set("worker", o["p"])
            o["p"]?.set("tasks", ["a", "b", "a"].compactMap { o[$0] })
        } expect: { o, moment in
            #expect(o["p"]?.nameList("tasks") == ["a", "b"], "\(moment)")
        }
    }

    @Test("OG-150, NTF-75: without inverse only the side that is set changes", arguments: settings)
    func withoutInverse(_ setting: (StackKind, Stage)) throws {
        try Self.with(setting, [("Person", ["a", "b"]), ("Badge", ["x", "y"])]) { o in
            o["a"]?.set("badges", [o["x"]].compactMap { $0 })
        } _: { context, o in
            o["a"]?.set("hero", o["b"])
            o["a"]?.set("badges", [o["x"], o["y"]].compactMap { $0 })
            if setting.1 != .new { #expect(context.updatedObjects == Set([o["a"]].compactMap { $0 })) }
        } expect: { o, moment in
            #expect(o["a"]?.one("hero") === o["b"] && o["b"]?.one("hero") == nil, "\(moment)")
            #expect(o["a"]?.names("badges") == ["x", "y"] && o["b"]?.names("badges") == [], "\(moment)")
        }
    }

    @Test(
        "OG-151: a change by the inverse loads no to-many; reading it later joins rows and changes", arguments: StackKind.allCases
    )
    func pendingChangesOfFault(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let p = context.make("Team", ["name": "p"])
            for name in ["a", "b", "c"] { _ = context.make("Person", ["name": name, "team": p]) }
            _ = context.make("Team", ["name": "q"])
            _ = context.make("Person", ["name": "d"])
            try context.save()
        }
        try stack.fresh { context throws in
            let p = try context.named("p", "Team")
            let q = try context.named("q", "Team")
            try context.named("a", "Person").set("team", q)
            try context.named("d", "Person").set("team", p)
            _ = context.make("Person", ["name": "e", "team": p])
            let b = try context.named("b", "Person")
            b.set("team", q)
            b.set("team", p)
            #expect(p.hasFault(forRelationshipNamed: "members") && q.hasFault(forRelationshipNamed: "members"))
            context.processPendingChanges()
            #expect(p.hasFault(forRelationshipNamed: "members"))
            context.check()
            #expect(p.names("members") == ["b", "c", "d", "e"])
            #expect(q.names("members") == ["a"])
            try context.save()
        }
        try stack.fresh { context throws in
            #expect(try context.named("p", "Team").names("members") == ["b", "c", "d", "e"])
            #expect(try context.named("q", "Team").names("members") == ["a"])
        }
    }

    @Test("OG-151: changes of a to-many that is still a fault survive a save without being read", arguments: StackKind.allCases)
    func unreadToManyIsSaved(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let x = context.make("Skill", ["name": "x"])
            _ = context.make("Person", ["name": "a", "skills": [x]])
            _ = context.make("Person", ["name": "b"])
            let p = context.make("Person", ["name": "p"])
            p.set("tasks", [context.make("Task", ["name": "t"])])
            _ = context.make("Task", ["name": "u"])
            try context.save()
        }
        try stack.fresh { context throws in
            let x = try context.named("x", "Skill")
            let b = try context.named("b", "Person")
            b.add(x, to: "skills")
            try context.named("u", "Task").set("worker", try context.named("p", "Person"))
            #expect(x.hasFault(forRelationshipNamed: "people"))
            try context.save()
            #expect(x.names("people") == ["a", "b"])
        }
        try stack.fresh { context throws in
            #expect(try context.named("x", "Skill").names("people") == ["a", "b"])
            #expect(try context.named("p", "Person").nameList("tasks") == ["t", "u"])
        }
    }

    @Test("OG-153, NTF-82: a to-one whose destination was deleted reads nil after processing", arguments: StackKind.allCases)
    func deletedDestination(_ kind: StackKind) throws {
        try TestStack.people(kind).run { context throws in
            let team = context.make("Team")
            let person = context.make("Person", ["team": team])
            try context.save()
            context.refreshAllObjects()
            context.processPendingChanges()
            context.delete(team)
            context.processPendingChanges()
            #expect(person.one("team") == nil)
            #expect(person.isUpdated)
            try context.save()
            #expect(person.one("team") == nil)
        }
    }
}

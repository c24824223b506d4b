import DataModel
import Foundation
import FoundationGaps
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

@Suite("Options of a context")
struct ContextOptionTests {
    private static func stack(_ kind: StackKind) throws -> TestStack {
        var maker = ModelMaker()
        for name in ["House", "Room", "Lamp"] { maker.entity(name, [ModelMaker.attribute("name", .string)]) }
        maker.relate("House", "rooms", .many.cascade, "Room", "house", .one)
        maker.relate("Room", "lamps", .many.cascade, "Lamp", "room", .one)
        return try TestStack(kind, maker.model())
    }

    private static func house(_ context: NSManagedObjectContext) -> NSManagedObject {
        let lamps = (0..<2).map { context.make("Lamp", ["name": "lamp\($0)"]) }
        let room = context.make("Room", ["name": "room", "lamps": NSSet(array: lamps)])
        return context.make("House", ["name": "house", "rooms": NSSet(object: room)])
    }

    @Test(
        "OG-161, NTF-84, CTX-74: with propagation left to the save, only the deleted object itself is reported before",
        arguments: StackKind.allCases)
    func propagation(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            #expect(context.propagatesDeletesAtEndOfEvent)
            context.propagatesDeletesAtEndOfEvent = false
            let house = Self.house(context)
            try context.save()
            let log = NotificationLog(context)
            context.delete(house)
            context.processPendingChanges()
            #expect(log.takeChanges().map(\.deleted) == [[house]])
            #expect(context.deletedObjects == [house])
            context.processPendingChanges()
            #expect(log.takeChanges().isEmpty)
            try context.save()
            let posts = log.take()
            #expect(posts.first?.deleted.count == 3, "room and lamps, by the processing of the save")
            #expect(posts.first { $0.kind == "didSave" }?.deleted.count == 4)
        }
        for entity in ["House", "Room", "Lamp"] { #expect(try stack.savedNames(entity).isEmpty) }
    }

    @Test("OG-161, OG-171: objects that were never saved cascade at the save, too", arguments: StackKind.allCases)
    func unsaved(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            context.propagatesDeletesAtEndOfEvent = false
            let house = Self.house(context)
            context.processPendingChanges()
            context.delete(house)
            context.processPendingChanges()
            #expect(house.managedObjectContext == nil && context.insertedObjects.count == 3)
            context.make("House", ["name": "other"])
            try context.save()
        }
        #expect(
            try stack.savedNames("House") == ["other"] && stack.savedNames("Room").isEmpty && stack.savedNames("Lamp").isEmpty)
    }

    @Test("a deletion that was taken back before the save cascades to nothing", arguments: StackKind.allCases)
    func takenBack(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            context.propagatesDeletesAtEndOfEvent = false
            context.undoManager = UndoManager()
            let house = Self.house(context)
            try context.save()
            context.delete(house)
            context.undo()
            try context.save()
            context.delete(house)
            context.processPendingChanges()
            context.rollback()
            try context.save()
        }
        #expect(try stack.savedNames("House") == ["house"] && stack.savedNames("Lamp").count == 2)
    }

    @Test("OG-172: undo and redo of a cascading delete, saved between", arguments: StackKind.allCases, [false, true])
    func cascade(_ kind: StackKind, _ isSaved: Bool) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            context.undoManager = UndoManager()
            let house = Self.house(context)
            try context.save()
            let before = try GraphDump.of(context, ["House", "Room", "Lamp"])
            context.delete(house)
            if isSaved { try context.save() }
            for _ in 0..<3 {
                context.undo()
                #expect(try GraphDump.of(context, ["House", "Room", "Lamp"]) == before)
                if isSaved { try context.save() }
                context.redo()
                #expect(try GraphDump.of(context, ["House", "Room", "Lamp"]).isEmpty)
                if isSaved { try context.save() }
            }
            context.undo()
            try context.save()
        }
        #expect(
            try stack.savedNames("House") == ["house"] && stack.savedNames("Room") == ["room"]
                && stack.savedNames("Lamp").count == 2)
        try stack.fresh { context throws in
            #expect(try context.named("room", "Room").one("house")?.text("name") == "house")
            #expect(try context.named("room", "Room").names("lamps") == ["lamp0", "lamp1"])
        }
    }

    @Test("CTX-75, OG-53: a context that retains its objects holds them, and lets go when told so", arguments: StackKind.allCases)
    func retaining(_ kind: StackKind) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            #expect(!context.retainsRegisteredObjects)
            for index in 0..<10 { context.make("Person", ["name": "p\(index)"]) }
            try context.save()
        }
        try stack.run { context throws in
            #expect(context.registeredObjects.isEmpty)
            _ = try context.all("Person")
            #expect(context.registeredObjects.isEmpty)
            context.retainsRegisteredObjects = true
            _ = try context.all("Person")
            context.make("Team", ["name": "t"])
            try context.save()
            #expect(context.registeredObjects.count == 11)
            context.delete(try context.named("p3", "Person"))
            try context.save()
            #expect(context.registeredObjects.count == 10)
            context.retainsRegisteredObjects = false
            #expect(context.registeredObjects.isEmpty)
            let held = try context.named("p1", "Person")
            context.retainsRegisteredObjects = true
            _ = held
        }
        try stack.run { context throws in
            #expect(context.registeredObjects.count == 1, "what was known when it was switched on")
            context.reset()
            #expect(context.registeredObjects.isEmpty)
        }
    }
}

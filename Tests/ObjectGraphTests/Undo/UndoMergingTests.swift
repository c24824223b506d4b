import DataModel
import Foundation
import FoundationGaps
import GraphTestSupport
import Predicates
import TestSupport
import Testing

@testable import ObjectGraph

/// What others saved is not to be undone, and does not stop what may be.
@Suite("Undo and merging")
struct UndoMergingTests {
    private static func run(_ kind: StackKind, _ body: (NSManagedObjectContext, UndoManager, TestStack) throws -> Void) throws {
        let stack = try TestStack.people(kind)
        try stack.run { context throws in
            let manager = UndoManager()
            context.make("Person", ["name": "A", "age": 1, "team": context.make("Team", ["name": "red"])])
            try context.save()
            context.undoManager = manager
            try body(context, manager, stack)
        }
    }

    /// Changes something in another context, saves, and merges the save.
    private static func elsewhere(
        _ stack: TestStack, into context: NSManagedObjectContext, _ change: (NSManagedObjectContext) throws -> Void
    ) throws {
        try stack.fresh { other throws in
            var saved: Notification?
            let observer = Observer(.NSManagedObjectContextDidSave, of: other) { saved = $0 }
            try change(other)
            try other.save()
            context.mergeChanges(fromContextDidSave: try #require(saved))
            withExtendedLifetime(observer) {}
        }
    }

    @Test("merged insertions, changes and deletions are no steps", arguments: StackKind.allCases)
    func merged(_ kind: StackKind) throws {
        try Self.run(kind) { context, manager, stack in
            let person = try context.named("A", "Person")
            try Self.elsewhere(stack, into: context) { other throws in
                try other.named("A", "Person").set("age", 50)
                other.make("Person", ["name": "theirs", "team": try other.named("red", "Team")])
            }
            #expect(!manager.canUndo && person.number("age") == 50)
            context.undo()
            #expect(!context.hasChanges)
            try Self.elsewhere(stack, into: context) { other throws in other.delete(try other.named("A", "Person")) }
            #expect(person.isDeleted && !manager.canUndo)
            context.undo()
            #expect(person.isDeleted)
            try context.save()
            #expect(try stack.savedNames("Person") == ["theirs"])
        }
    }

    @Test(
        "local changes pending at a merge are a step of their own, and undoing them keeps what was merged",
        arguments: StackKind.allCases)
    func pending(_ kind: StackKind) throws {
        try Self.run(kind) { context, manager, stack in
            let person = try context.named("A", "Person")
            person.set("name", "B")
            let mine = context.make("Person", ["name": "mine"])
            try Self.elsewhere(stack, into: context) { other throws in
                try other.named("A", "Person").set("age", 50)
                other.make("Person", ["name": "theirs"])
            }
            #expect(manager.undoCount == 1 && person.text("name") == "B" && person.number("age") == 50)
            context.undo()
            #expect(
                person.text("name") == "A" && person.number("age") == 50 && mine.managedObjectContext == nil
                    && !context.hasChanges)
            context.redo()
            try context.save()
            #expect(try stack.savedNames("Person") == ["B", "mine", "theirs"])
            #expect(person.number("age") == 50)
        }
    }

    @Test("undo of a deletion that others made as well inserts the object anew", arguments: StackKind.allCases)
    func deletedByBoth(_ kind: StackKind) throws {
        try Self.run(kind) { context, _, stack in
            let person = try context.named("A", "Person")
            let team = try context.named("red", "Team")
            let old = person.objectID
            context.delete(person)
            context.processPendingChanges()
            try Self.elsewhere(stack, into: context) { other throws in other.delete(try other.named("A", "Person")) }
            context.undo()
            #expect(!person.isDeleted && person.isInserted && person.objectID.isTemporaryID && person.objectID != old)
            #expect(person.one("team") === team && team.many("members") == [person])
            context.check()
            try context.save()
            try stack.fresh { other throws in
                #expect(try other.named("A", "Person").one("team")?.text("name") == "red")
            }
        }
    }

    @Test("undo of a change to an object that others deleted does nothing", arguments: StackKind.allCases)
    func changeOfDeleted(_ kind: StackKind) throws {
        try Self.run(kind) { context, manager, stack in
            let person = try context.named("A", "Person")
            person.set("name", "B")
            person.set("team", nil)
            try context.save()
            try Self.elsewhere(stack, into: context) { other throws in other.delete(try other.named("B", "Person")) }
            #expect(person.isDeleted)
            context.undo()
            #expect(person.isDeleted && !manager.canUndo)
            try context.save()
            #expect(try stack.savedNames("Person").isEmpty)
        }
    }

    @Test(
        "a save in which a merge policy resolves a conflict drops all steps: undo would overrule it",
        arguments: StackKind.allCases)
    func policy(_ kind: StackKind) throws {
        try Self.run(kind) { context, manager, stack in
            let person = try context.named("A", "Person")
            context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            person.set("name", "mine")
            person.set("score", 1.5)
            try stack.fresh { other throws in
                try other.named("A", "Person").set("name", "theirs")
                try other.save()
            }
            try context.save()
            #expect(person.text("name") == "theirs" && person.value(forKey: "score") as? Double == 1.5)
            context.processPendingChanges()
            #expect(!manager.canUndo && !manager.canRedo)
            context.undo()
            #expect(person.text("name") == "theirs" && person.value(forKey: "score") as? Double == 1.5 && !context.hasChanges)
            person.set("name", "again")
            context.undo()
            #expect(person.text("name") == "theirs" && !context.hasChanges)
        }
    }

    @Test("an inaccessible object is not brought back", arguments: StackKind.allCases)
    func inaccessible(_ kind: StackKind) throws {
        try Self.run(kind) { context, manager, stack in
            let person = try context.named("A", "Person")
            context.refresh(person, mergeChanges: false)
            context.processPendingChanges()
            try stack.fresh { other throws in
                other.delete(try other.named("A", "Person"))
                try other.save()
            }
            #expect(person.value(forKey: "name") == nil && person.isDeleted)
            context.processPendingChanges()
            #expect(!manager.canUndo)
            context.undo()
            #expect(person.isDeleted)
            try context.save()
        }
    }
}

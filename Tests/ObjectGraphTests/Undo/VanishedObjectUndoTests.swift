import Foundation
import FoundationGaps
import GraphTestSupport
import ObjectGraph
import Predicates
import Testing

/// Objects that are made and deleted in one event leave no trace in undo steps.
@Suite("Undo of events with objects that came and went")
struct VanishedObjectUndoTests {
    struct Side: CustomTestStringConvertible {
        let owner: String
        let key: String
        let destination: String
        var isToOne = false

        var testDescription: String { "\(owner).\(key)" }

        static let all = [
            Side(owner: "Person", key: "skills", destination: "Skill"), Side(owner: "Person", key: "tasks", destination: "Task"),
            Side(owner: "Person", key: "playlist", destination: "Song"), Side(owner: "Song", key: "charts", destination: "Badge"),
            Side(owner: "Team", key: "members", destination: "Person"),
            Side(owner: "Person", key: "friends", destination: "Person"),
            Side(owner: "Person", key: "desk", destination: "Desk", isToOne: true),
            Side(owner: "Person", key: "team", destination: "Team", isToOne: true),
        ]

        func destinations(_ object: NSManagedObject) -> [NSManagedObject] {
            switch object.value(forKey: key) {
            case let set as NSOrderedSet: set.array as? [NSManagedObject] ?? []
            case let set as Set<NSManagedObject>: Array(set)
            case let one as NSManagedObject: [one]
            default: []
            }
        }

        func set(_ object: NSManagedObject, _ destination: NSManagedObject) {
            object.set(key, isToOne ? destination : [destination])
        }
    }

    @Test(
        "An owner that is deleted together with a destination of the same event comes back with its former ones",
        arguments: Side.all, [StackKind.inMemory, .sqlite])
    func ownerIsDeleted(_ side: Side, _ kind: StackKind) throws {
        for (isSaved, savesDeletion) in [(false, false), (true, false), (true, true)] {
            for ownerFirst in [false, true] {
                for isTakenAway in [false, true] {
                    let stack = try TestStack.people(kind)
                    try stack.run { context throws in
                        context.undoManager = UndoManager()
                        let owner = context.make(side.owner, ["name": "owner"])
                        let former = context.make(side.destination, ["name": "former"])
                        side.set(owner, former)
                        context.processPendingChanges()
                        if isSaved { try context.save() }
                        let passing = context.make(side.destination, ["name": "passing"])
                        side.set(owner, passing)
                        if isTakenAway { side.set(owner, former) }
                        for object in ownerFirst ? [owner, passing] : [passing, owner] { context.delete(object) }
                        context.processPendingChanges()
                        if savesDeletion { try context.save() }
                        for _ in 0..<2 {
                            context.undo()
                            #expect(owner.managedObjectContext === context && !owner.isDeleted)
                            #expect(
                                side.destinations(owner) == [former], "\(isSaved) \(savesDeletion) \(ownerFirst) \(isTakenAway)")
                            #expect(passing.managedObjectContext == nil)
                            context.check()
                            context.redo()
                            #expect(owner.isDeleted || owner.managedObjectContext == nil)
                            #expect(!former.isDeleted && former.managedObjectContext === context)
                            context.check()
                        }
                        context.undo()
                        try context.save()
                    }
                    #expect(try stack.savedNames(side.owner).contains("owner"))
                }
            }
        }
    }

    @Test("Members keep their order around a member that came and went", arguments: ["tasks", "playlist"], 0..<4)
    func order(_ key: String, _ position: Int) throws {
        let stack = try TestStack.people()
        try stack.run { context throws in
            context.undoManager = UndoManager()
            let entity = key == "tasks" ? "Task" : "Song"
            let owner = context.make("Person", ["name": "owner"])
            let members = ["a", "b", "c"].map { context.make(entity, ["name": $0]) }
            owner.set(key, members)
            context.processPendingChanges()
            for removed in members {
                let others = members.filter { $0 !== removed }
                let passing = context.make(entity, ["name": "passing"])
                let set = owner.mutableOrderedSetValue(forKey: key)
                set.insert(passing, at: position)
                set.remove(removed)
                context.delete(passing)
                context.processPendingChanges()
                #expect(owner.list(key) == others)
                context.undo()
                #expect(owner.list(key) == members, "\(removed.text("name") ?? "") removed")
                context.redo()
                #expect(owner.list(key) == others)
                context.undo()
                #expect(owner.list(key) == members)
                context.check()
            }
        }
    }
}

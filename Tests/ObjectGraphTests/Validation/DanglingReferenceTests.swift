import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("References to what will not be in the store")
struct DanglingReferenceTests {
    private static func stack(_ kind: StackKind) throws -> TestStack {
        var maker = ModelMaker()
        for entity in ["Pen", "Owner"] { maker.entity(entity, [ModelMaker.attribute("name", .string)]) }
        maker.relate("Pen", "owner", .one, "Owner", "pens", .many)
        maker.relate("Pen", "must", .one, "Owner", "musts", .many)
        maker.relate("Pen", "cap", .one, "Owner", "capOf", .one)
        maker.relate("Pen", "users", .many, "Owner", "uses", .many)
        maker.relate("Pen", "queue", .ordered, "Owner", "queues", .many)
        maker.relate("Owner", "favourites", .ordered, "Pen", "fan", .one)
        maker.point("Pen", "maker", .one, "Owner")
        maker.point("Pen", "makers", .many, "Owner")
        return try TestStack(kind, maker.model())
    }

    /// How the destination comes to be no object of the store.
    enum Fate: String, CaseIterable, Sendable { case deleted, deletedAndSaved, newAndDeleted, neverInserted }

    private static let keys = ["owner", "must", "cap", "users", "queue", "maker", "makers"]

    private func value(_ destination: NSManagedObject, _ object: NSManagedObject, _ key: String) -> Any {
        guard let relationship = object.entity.relationshipsByName[key], relationship.isToMany else { return destination }
        return relationship.isOrdered ? NSOrderedSet(object: destination) : NSSet(object: destination)
    }

    private func expectDangling(_ error: NSError?, _ object: NSManagedObject, _ key: String, _ destination: NSManagedObject) {
        let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error].compactMap { $0 }
        let found = details.first {
            $0.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === object
                && $0.userInfo[NSValidationKeyErrorKey] as? String == key
        }
        #expect(found?.code == NSManagedObjectValidationError && found?.domain == NSCocoaErrorDomain)
        #expect(found?.userInfo[NSValidationValueErrorKey] as? NSManagedObject === destination)
        #expect(found?.localizedDescription.contains("dangling reference") == true)
        #expect(found?.localizedDescription.contains("“\(key)”") == true)
    }

    @Test(
        "R05, R10: a reference to a deleted or never inserted object is error 1550 in the save, which writes nothing",
        arguments: StackKind.allCases, Fate.allCases)
    func dangling(_ kind: StackKind, _ fate: Fate) throws {
        for key in Self.keys {
            for isNew in [false, true] {
                let stack = try Self.stack(kind)
                let watch = try SaveWatch(stack)
                try stack.run { context throws in
                    let owner: Recorder
                    var pen = context.make("Pen", ["name": "old"])
                    switch fate {
                    case .deleted, .deletedAndSaved:
                        owner = context.make("Owner", ["name": "o"])
                        try context.save()
                        context.delete(owner)
                        if fate == .deleted { context.processPendingChanges() } else { try context.save() }
                    case .newAndDeleted:
                        try context.save()
                        owner = context.make("Owner", ["name": "o"])
                        context.processPendingChanges()
                        context.delete(owner)
                        context.processPendingChanges()
                    case .neverInserted:
                        try context.save()
                        owner = Recorder(entity: try #require(stack.model.entitiesByName["Owner"]), insertInto: nil)
                    }
                    if isNew || fate == .neverInserted {
                        // Objects without a context can be related with each other.
                        pen = fate == .neverInserted ? Recorder(entity: pen.entity, insertInto: nil) : context.make("Pen")
                    }
                    pen.set("name", "new")
                    pen.set(key, value(owner, pen, key))
                    if fate == .neverInserted { context.insert(pen) }
                    let error = #expect(throws: NSError.self, "\(key), \(isNew)") { try context.save() }
                    expectDangling(error, pen, key, owner)
                    #expect(pen.hasChanges, "nothing is lost")
                    try stack.fresh { other throws in
                        #expect(try other.all("Pen").map { $0.text("name") } == ["old"])
                        #expect(try other.all("Owner").count == (fate == .deleted ? 1 : 0))
                    }
                    // What was wrong can be put right.
                    if fate == .neverInserted {
                        context.insert(owner)
                    } else {
                        pen.set(key, nil)
                    }
                    try context.save()
                    #expect(!context.hasChanges)
                }
                try stack.fresh { other throws in
                    let pen = try other.named("new", "Pen")
                    let isThere =
                        (pen.entity.relationshipsByName[key]?.isToMany ?? false)
                        ? (pen.value(forKey: key) as? NSSet)?.count ?? (pen.value(forKey: key) as? NSOrderedSet)?.count == 1
                        : pen.one(key) != nil
                    #expect(isThere == (fate == .neverInserted), "\(key)")
                }
                #expect(watch.problems == [])
            }
        }
    }

    @Test(
        "R05: set before the deletion, or before it is processed, the reference goes with the deletion where there is an inverse",
        arguments: StackKind.allCases)
    func setBefore(_ kind: StackKind) throws {
        for key in ["owner", "cap", "users", "queue"] {
            for isDeletedFirst in [false, true] {
                let stack = try Self.stack(kind)
                try stack.run { context throws in
                    let (pen, owner) = (context.make("Pen", ["name": "p"]), context.make("Owner", ["name": "o"]))
                    try context.save()
                    if isDeletedFirst { context.delete(owner) }
                    pen.set(key, value(owner, pen, key))
                    if !isDeletedFirst { context.delete(owner) }
                    try context.save()
                    #expect(
                        pen.one("owner") == nil && pen.one("cap") == nil && pen.many("users").isEmpty && pen.list("queue").isEmpty
                    )
                }
                #expect(try stack.savedNames("Owner").isEmpty)
            }
        }
    }

    @Test(
        "R05: a reference that was set back after the deletion dangles also when its object was refreshed since",
        arguments: StackKind.allCases, [false, true])
    func setBackAndRefreshed(_ kind: StackKind, _ refreshesAll: Bool) throws {
        for key in ["owner", "cap"] {
            let stack = try Self.stack(kind)
            let watch = try SaveWatch(stack)
            try stack.run { context throws in
                let (pen, owner) = (context.make("Pen", ["name": "p"]), context.make("Owner", ["name": "o"]))
                pen.set(key, owner)
                try context.save()
                context.delete(owner)
                context.processPendingChanges()
                #expect(pen.one(key) == nil)
                pen.set(key, owner)
                if refreshesAll { context.refreshAllObjects() } else { context.refresh(pen, mergeChanges: true) }
                let error = #expect(throws: NSError.self, "\(key)") { try context.save() }
                expectDangling(error, pen, key, owner)
                pen.set(key, nil)
                try context.save()
            }
            #expect(watch.problems == [] && watch.saves == (kind == .sqlite ? 2 : 0))
            #expect(try stack.savedNames("Owner").isEmpty)
        }
    }

    @Test(
        "R05: a reference without inverse to a row that another context has deleted is error 1550", arguments: StackKind.allCases)
    func deletedElsewhere(_ kind: StackKind) throws {
        for key in ["maker", "makers"] {
            let stack = try Self.stack(kind)
            try stack.run { context throws in
                let (pen, owner) = (context.make("Pen", ["name": "p"]), context.make("Owner", ["name": "o"]))
                try context.save()
                try stack.fresh { other throws in
                    other.delete(try other.named("o", "Owner"))
                    try other.save()
                }
                pen.set(key, value(owner, pen, key))
                let error = #expect(throws: NSError.self) { try context.save() }
                expectDangling(error, pen, key, owner)
                pen.set(key, nil)
                try context.save()
            }
        }
    }

    @Test(
        "R05: of very many references without inverse the one to a row that another context has deleted is error 1550",
        arguments: StackKind.allCases)
    func oneOfManyDeletedElsewhere(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let owners = (0..<250).map { context.make("Owner", ["name": "o\($0)"]) }
            let old = (0..<300).map { context.make("Pen", ["name": "p\($0)"]) }
            try context.save()
            try stack.fresh { other throws in
                other.delete(try other.named("o123", "Owner"))
                try other.save()
            }
            for (index, pen) in old.enumerated() {
                pen.set(index % 2 == 0 ? "maker" : "makers", value(owners[index % 123], pen, index % 2 == 0 ? "maker" : "makers"))
            }
            try context.save()
            let new = (0..<300).map { context.make("Pen", ["name": "n\($0)", "maker": owners[($0 + 100) % 250]]) }
            let error = #expect(throws: NSError.self) { try context.save() }
            expectDangling(error, new[23], "maker", owners[123])
            #expect(!new.contains { !$0.isInserted }, "nothing was written")
            new[23].set("maker", owners[124])
            new[273].set("maker", nil)
            try context.save()
        }
        #expect(try stack.savedNames("Pen").count == 600)
    }

    @Test("R05: in a child, the save of the child fails and its parent is as it was", arguments: StackKind.allCases)
    func inChild(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            context.make("Pen", ["name": "p"])
            context.make("Owner", ["name": "o"])
            try context.save()
        }
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        try child.run { context throws in
            let (pen, owner) = (try context.named("p", "Pen"), try context.named("o", "Owner"))
            context.delete(owner)
            context.processPendingChanges()
            for key in Self.keys {
                pen.set(key, value(owner, pen, key))
                let error = #expect(throws: NSError.self) { try context.save() }
                expectDangling(error, pen, key, owner)
                pen.set(key, nil)
            }
            context.rollback()
            // Deleted in the parent: without an inverse the child's object would not be missed.
            try stack.run { parent throws in
                parent.delete(try parent.named("o", "Owner"))
                try parent.save()
            }
            pen.set("maker", owner)
            let error = #expect(throws: NSError.self) { try context.save() }
            expectDangling(error, pen, "maker", owner)
            context.rollback()
        }
        try stack.run { #expect(!$0.hasChanges) }
    }
}

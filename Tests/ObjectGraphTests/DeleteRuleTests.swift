import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("Delete rules")
struct DeleteRuleTests {
    /// An owner with one to-many of each rule, a to-one that cascades, and what those lead to.
    private static func model() -> NSManagedObjectModel {
        let name = ["Owner", "Part", "Guest", "Guard", "Stray", "Engine", "Bolt", "Link", "Need"]
        var maker = ModelMaker()
        for name in name { maker.entity(name, [ModelMaker.attribute("name", .string)]) }
        maker.relate("Owner", "parts", .many.cascade, "Part", "owner", .one)
        maker.relate("Owner", "guests", .many, "Guest", "owner", .one)
        maker.relate("Owner", "guards", .many.deny, "Guard", "owner", .one)
        maker.relate("Owner", "strays", .many.noAction, "Stray", "owner", .one)
        maker.relate("Owner", "engine", .one.cascade, "Engine", "owner", .one)
        maker.relate("Owner", "shared", .many, "Part", "users", .many)
        maker.relate("Owner", "needs", .ordered, "Need", "owner", .one.required)
        maker.relate("Part", "bolts", .ordered.cascade, "Bolt", "part", .one)
        maker.relate("Link", "next", .one.cascade, "Link", "previous", .one.cascade)
        maker.point("Bolt", "favourite", .one, "Guest")
        maker.point("Bolt", "favourites", .many, "Guest")
        return maker.model()
    }

    private static func stack(_ kind: StackKind) throws -> TestStack { try TestStack(kind, model()) }

    /// Whether all objects are loaded, or faults that the store has to be asked for, when the deletion comes.
    static let settings = StackKind.allCases.flatMap { kind in [(kind, false), (kind, true)] }

    private static func fade(_ context: NSManagedObjectContext, _ isFaded: Bool) {
        guard isFaded else { return }
        context.refreshAllObjects()
        context.processPendingChanges()
    }

    @Test("OG-160, OG-161, OG-168: nullify clears the inverse, not before processing", arguments: settings)
    func nullify(_ kind: StackKind, _ areFaults: Bool) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let owner = context.make("Owner", ["name": "o"])
            let guest = context.make("Guest", ["name": "g", "owner": owner])
            let part = context.make("Part", ["name": "p", "users": [owner]])
            try context.save()
            Self.fade(context, areFaults)
            context.delete(owner)
            #expect(guest.one("owner") === owner)
            context.processPendingChanges()
            #expect(guest.one("owner") == nil && part.many("users").isEmpty)
            #expect(context.updatedObjects == [guest, part] && context.deletedObjects == [owner])
            try context.save()
            #expect(guest.one("owner") == nil && part.many("users").isEmpty)
        }
        try stack.fresh { context throws in
            #expect(try context.all("Owner").isEmpty)
            #expect(try context.named("g", "Guest").one("owner") == nil)
            #expect(try context.named("p", "Part").many("users").isEmpty)
        }
    }

    @Test("OG-160, OG-162, OG-168: cascade goes through all levels, by to-many, ordered and to-one", arguments: settings)
    func cascade(_ kind: StackKind, _ areFaults: Bool) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let owner = context.make("Owner", ["name": "o", "engine": context.make("Engine", ["name": "e"])])
            for name in ["p", "q"] {
                let part = context.make("Part", ["name": name, "owner": owner])
                part.set("bolts", ["1", "2"].map { context.make("Bolt", ["name": name + $0]) })
            }
            let other = context.make("Part", ["name": "other"])
            other.set("bolts", [context.make("Bolt", ["name": "other1"])])
            try context.save()
            Self.fade(context, areFaults)
            context.delete(owner)
            #expect(context.deletedObjects == [owner])
            context.processPendingChanges()
            #expect(context.deletedObjects.count == 8)
            #expect(
                context.deletedObjects.allSatisfy { ($0 as? Recorder)?.calls.filter { $0 == "prepareForDeletion" }.count == 1 })
            try context.save()
            #expect(!context.hasChanges)
        }
        #expect(try stack.savedNames("Owner").isEmpty)
        #expect(try stack.savedNames("Engine").isEmpty)
        #expect(try stack.savedNames("Part") == ["other"])
        #expect(try stack.savedNames("Bolt") == ["other1"])
    }

    @Test("OG-162: a cycle of cascades ends, each object deleted once", arguments: settings)
    func cascadeCycle(_ kind: StackKind, _ areFaults: Bool) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let links = (0..<5).map { context.make("Link", ["name": "\($0)"]) }
            for (index, link) in links.enumerated() { link.set("next", links[(index + 1) % links.count]) }
            context.check()
            try context.save()
            Self.fade(context, areFaults)
            context.delete(links[2])
            try context.save()
            #expect(links.allSatisfy { $0.calls.filter { $0 == "prepareForDeletion" }.count == 1 })
        }
        #expect(try stack.savedNames("Link").isEmpty)
    }

    @Test("OG-163, OG-164: deny fails the save with 1600 and leaves the object deleted until rollback", arguments: settings)
    func deny(_ kind: StackKind, _ areFaults: Bool) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let owner = context.make("Owner", ["name": "o"])
            let post = context.make("Guard", ["name": "g", "owner": owner])
            try context.save()
            Self.fade(context, areFaults)
            context.delete(owner)
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSValidationRelationshipDeniedDeleteError)
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "guards")
            #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === owner)
            #expect(owner.isDeleted && context.hasChanges && context.deletedObjects == [owner])
            #expect(throws: NSError.self) { try owner.validateForDelete() }
            context.rollback()
            #expect(!owner.isDeleted && !context.hasChanges)
            #expect(owner.many("guards") == [post] && post.one("owner") === owner)
        }
        #expect(try stack.savedNames("Owner") == ["o"])
    }

    @Test("OG-163, OG-167: deny does not count destinations that are deleted as well", arguments: settings)
    func denyLifted(_ kind: StackKind, _ areFaults: Bool) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let owner = context.make("Owner", ["name": "o"])
            let guards = ["g", "h"].map { context.make("Guard", ["name": $0, "owner": owner]) }
            try context.save()
            Self.fade(context, areFaults)
            context.delete(owner)
            context.delete(guards[0])
            #expect(throws: NSError.self) { try context.save() }
            guards[1].set("owner", nil)
            try context.save()
        }
        #expect(try stack.savedNames("Owner").isEmpty)
        #expect(try stack.savedNames("Guard") == ["h"])
    }

    @Test("OG-160, OG-170: no action leaves the others as they are; their reference leads nowhere", arguments: settings)
    func noAction(_ kind: StackKind, _ areFaults: Bool) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let owner = context.make("Owner", ["name": "o"])
            let stray = context.make("Stray", ["name": "s", "owner": owner])
            try context.save()
            Self.fade(context, areFaults)
            context.delete(owner)
            context.processPendingChanges()
            #expect(context.updatedObjects.isEmpty && stray.one("owner") === owner)
            try context.save()
        }
        try stack.fresh { context throws in
            let stray = try context.named("s", "Stray")
            let owner = try #require(stray.one("owner"))
            #expect(owner.isFault)
            #expect(owner.text("name") == nil && owner.isDeleted)
        }
    }

    @Test("OG-150, OG-170: a reference without inverse to a deleted object leads nowhere", arguments: settings)
    func withoutInverse(_ kind: StackKind, _ areFaults: Bool) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let guest = context.make("Guest", ["name": "g"])
            let bolt = context.make(
                "Bolt", ["name": "b", "favourite": guest, "favourites": [guest, context.make("Guest", ["name": "h"])]])
            try context.save()
            Self.fade(context, areFaults)
            context.delete(guest)
            context.processPendingChanges()
            #expect(context.updatedObjects.isEmpty)
            try context.save()
            #expect(bolt.text("name") == "b")
        }
        try stack.fresh { context throws in
            let bolt = try context.named("b", "Bolt")
            #expect(bolt.one("favourite")?.text("name") == nil)
            #expect(bolt.names("favourites") == ["h"])
        }
    }

    @Test("OG-165: nullify of a required to-one of a surviving object fails the save with 1570", arguments: settings)
    func nullifyRequired(_ kind: StackKind, _ areFaults: Bool) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let owner = context.make("Owner", ["name": "o"])
            let need = context.make("Need", ["name": "n", "owner": owner])
            try context.save()
            Self.fade(context, areFaults)
            context.delete(owner)
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == NSValidationMissingMandatoryPropertyError)
            #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === need)
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "owner")
            context.delete(need)
            try context.save()
        }
        #expect(try stack.savedNames("Owner").isEmpty)
        #expect(try stack.savedNames("Need").isEmpty)
    }

    @Test("OG-166: destinations no longer list a deleted object after processing", arguments: settings)
    func deletedMember(_ kind: StackKind, _ areFaults: Bool) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let owner = context.make("Owner", ["name": "o"])
            let guests = ["a", "b"].map { context.make("Guest", ["name": $0, "owner": owner]) }
            let part = context.make("Part", ["name": "p", "users": [owner]])
            part.set("bolts", ["1", "2", "3"].map { context.make("Bolt", ["name": $0]) })
            try context.save()
            Self.fade(context, areFaults)
            context.delete(guests[0])
            context.delete(try context.named("2", "Bolt"))
            context.processPendingChanges()
            #expect(owner.names("guests") == ["b"])
            #expect(part.nameList("bolts") == ["1", "3"])
            context.delete(part)
            context.processPendingChanges()
            #expect(owner.many("shared").isEmpty)
            try context.save()
            #expect(owner.names("guests") == ["b"] && owner.many("shared").isEmpty)
        }
        try stack.fresh { context throws in #expect(try context.named("o", "Owner").names("guests") == ["b"]) }
    }

    @Test("OG-166: a deleted object that was loaded after the deletion is not listed either", arguments: StackKind.allCases)
    func memberListLoadedLater(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let owner = context.make("Owner", ["name": "o"])
            _ = ["a", "b"].map { context.make("Guest", ["name": $0, "owner": owner]) }
            try context.save()
        }
        try stack.fresh { context throws in
            context.delete(try context.named("a", "Guest"))
            context.processPendingChanges()
            #expect(try context.named("o", "Owner").names("guests") == ["b"])
            context.rollback()
            #expect(try context.named("o", "Owner").names("guests") == ["a", "b"])
        }
    }

    @Test("OG-171: inserting and deleting at once still cascades, to new and to saved objects", arguments: StackKind.allCases)
    func insertThenDelete(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let saved = context.make("Part", ["name": "saved"])
            let guest = context.make("Guest", ["name": "guest"])
            try context.save()
            let owner = context.make("Owner")
            let new = context.make("Part", ["name": "new", "owner": owner])
            saved.set("owner", owner)
            guest.set("owner", owner)
            context.delete(owner)
            context.processPendingChanges()
            #expect(saved.isDeleted && context.deletedObjects == [saved])
            #expect(new.managedObjectContext == nil && owner.managedObjectContext == nil)
            #expect(guest.one("owner") == nil)
            try context.save()
        }
        #expect(try stack.savedNames("Part").isEmpty)
        #expect(try stack.savedNames("Guest") == ["guest"])
    }

    @Test("a new object that is deleted again leaves no trace in any row, whatever the rule", arguments: StackKind.allCases)
    func vanishedDestination(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let stray = context.make("Stray", ["name": "s"])
            let post = context.make("Guard", ["name": "g"])
            let bolt = context.make("Bolt", ["name": "b"])
            try context.save()
            for isProcessed in [false, true] {
                let owner = context.make("Owner")
                let guest = context.make("Guest")
                stray.set("owner", owner)
                post.set("owner", owner)
                bolt.set("favourite", guest)
                bolt.set("favourites", [guest, context.make("Guest", ["name": "stays \(isProcessed)"])])
                if isProcessed { context.processPendingChanges() }
                context.delete(owner)
                context.delete(guest)
                context.processPendingChanges()
                try context.save()
                #expect(stray.one("owner") == nil && post.one("owner") == nil)
                #expect(bolt.one("favourite") == nil)
                #expect(bolt.names("favourites") == ["stays \(isProcessed)"])
            }
        }
        try stack.fresh { context throws in
            for (name, entity, key) in [("s", "Stray", "owner"), ("g", "Guard", "owner"), ("b", "Bolt", "favourite")] {
                #expect(try context.named(name, entity).one(key) == nil, "\(entity).\(key)")
            }
            #expect(try context.named("b", "Bolt").names("favourites") == ["stays true"])
        }
    }

    @Test("deleting and saving many objects with relationships among them leaves nothing behind", arguments: StackKind.allCases)
    func everything(_ kind: StackKind) throws {
        let stack = try Self.stack(kind)
        try stack.run { context throws in
            let owners = (0..<10).map { context.make("Owner", ["name": "\($0)"]) }
            for index in 0..<40 {
                let part = context.make("Part", ["name": "\(index)", "owner": owners[index % 10]])
                part.set("users", owners.filter { _ in index % 3 == 0 })
                part.set("bolts", (0..<3).map { context.make("Bolt", ["name": "\(index) \($0)"]) })
            }
            try context.save()
        }
        try stack.fresh { context throws in
            for owner in try context.all("Owner") { context.delete(owner) }
            try context.save()
            for entity in ["Owner", "Part", "Bolt"] { #expect(try context.all(entity).isEmpty) }
        }
    }
}

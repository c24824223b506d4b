import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("Conflicts of relationships")
struct RelationshipConflictTests {
    private static func fill(_ context: NSManagedObjectContext) {
        for name in ["Red", "Green", "Blue"] { _ = context.make("Team", ["name": name]) }
        for name in ["Swift", "C", "SQL", "Latin"] { _ = context.make("Skill", ["name": name]) }
        for name in ["Oak", "Elm", "Ash"] { _ = context.make("Desk", ["name": name]) }
        _ = context.make("Person", ["name": "Alice", "age": 10])
    }

    private func rivals(_ kind: StackKind, _ policy: NSMergePolicyType, _ more: (NSManagedObjectContext) throws -> Void) throws
        -> Rivals
    {
        try Rivals(kind, policy: NSMergePolicy(merge: policy)) { context in
            Self.fill(context)
            try more(context)
        }
    }

    /// Loads both sides of what a test is about.
    private func load(_ context: NSManagedObjectContext) throws {
        for team in try context.all("Team") { _ = team.names("members") }
        for desk in try context.all("Desk") { _ = desk.one("owner") }
        for skill in try context.all("Skill") { _ = skill.names("people") }
        for person in try context.all("Person") {
            _ = (person.one("team"), person.one("desk"), person.names("skills"), person.names("friends"))
        }
    }

    private func team(_ name: String, _ context: NSManagedObjectContext) throws -> Recorder { try context.named(name, "Team") }

    @Test(
        "R05: what others gave an object that is deleted here does not go on pointing at it", arguments: StackKind.allCases,
        [
            NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
            .overwriteMergePolicyType,
        ])
    func partnerOfDeleted(_ kind: StackKind, _ policy: NSMergePolicyType) throws {
        // What the deleting context knows of the object: nothing, its values, an unsaved change, another partner.
        for knowledge in 0..<4 {
            let rivals = try rivals(kind, policy) { context in
                if knowledge == 3 { context.make("Person", ["name": "Bob"]).set("desk", try context.named("Elm", "Desk")) }
            }
            let watch = try SaveWatch(rivals.stack)
            let held = try rivals.second.run { context in
                try load(context)
                return try (context.all("Desk") + context.all("Person")).loaded
            }
            try rivals.second.run { context in
                let alice = try context.named("Alice", "Person")
                if knowledge == 0 { context.refresh(alice, mergeChanges: false) }
                if knowledge == 2 { alice.set("age", 11) }
                if knowledge == 3 { alice.set("desk", try context.named("Elm", "Desk")) }
                context.delete(alice)
                context.processPendingChanges()
            }
            try rivals.saveInFirst { $0.set("desk", try rivals.first.named("Oak", "Desk")) }
            try rivals.second.run { try $0.save() }
            try rivals.stored { context throws in
                #expect(try context.all("Person").map { $0.text("name") } == (knowledge == 3 ? ["Bob"] : []))
                #expect(try context.named("Oak", "Desk").one("owner") == nil, "\(knowledge)")
            }
            #expect(watch.problems == [], "\(knowledge)")
            #expect(!held.isEmpty)
        }
    }

    /// How a context holds the two sides of a one-to-one relationship that it read at different times.
    enum Staleness: CaseIterable {
        /// The object says that it has the partner, and the partner, read before that was so, does not know.
        case partnerOfChanged, partnerOfDeleted
        /// The partner says that it has the object, which by now has another one.
        case ownerThatMovedOn, partnerThatMovedOn
        /// The partner's new owner is known, and that one still says that it has none.
        case ownerWithout
    }

    @Test(
        "R05: both sides of a one-to-one relationship agree in the store though a context read them at different times",
        arguments: StackKind.allCases, Staleness.allCases)
    func readAtDifferentTimes(_ kind: StackKind, _ staleness: Staleness) throws {
        let policies: [NSMergePolicyType] = [
            .errorMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
            .overwriteMergePolicyType, .rollbackMergePolicyType,
        ]
        for policy in policies {
            let hadDesk = staleness == .ownerThatMovedOn || staleness == .partnerThatMovedOn
            let rivals = try rivals(kind, policy) { context in
                let (alice, oak) = (try context.named("Alice", "Person"), try context.named("Oak", "Desk"))
                if hadDesk { alice.set("desk", oak) }
                _ = context.make("Person", ["name": "Bob"])
            }
            let watch = try SaveWatch(rivals.stack)
            let held = try rivals.second.run { context in
                try load(context)
                return try (context.all("Desk") + context.all("Person")).loaded
            }
            try rivals.saveInFirst { $0.set("desk", try rivals.first.named(hadDesk ? "Elm" : "Oak", "Desk")) }
            var error: NSError?
            try rivals.second.runUnchecked {
                let context = rivals.second
                func find(_ name: String, _ entity: String) throws -> Recorder { try context.named(name, entity) }
                func refresh(_ name: String, _ entity: String) throws {
                    context.refresh(try find(name, entity), mergeChanges: false)
                }
                switch staleness {
                case .partnerOfChanged:
                    try refresh("Alice", "Person")
                    try find("Alice", "Person").set("desk", find("Ash", "Desk"))
                case .partnerOfDeleted:
                    try refresh("Alice", "Person")
                    context.delete(try find("Alice", "Person"))
                case .ownerThatMovedOn:
                    try refresh("Alice", "Person")
                    try refresh("Elm", "Desk")
                    try find("Bob", "Person").set("desk", find("Oak", "Desk"))
                case .partnerThatMovedOn:
                    try refresh("Oak", "Desk")
                    try refresh("Elm", "Desk")
                    try find("Ash", "Desk").set("owner", find("Alice", "Person"))
                case .ownerWithout:
                    try refresh("Oak", "Desk")
                    try find("Bob", "Person").set("desk", find("Oak", "Desk"))
                }
                do { try context.save() } catch let failure as NSError { error = failure }
            }
            #expect(watch.problems == [], "\(policy)")
            #expect((error?.code == NSManagedObjectMergeError) == (policy == .errorMergePolicyType), "\(policy)")
            try rivals.stored { context throws in
                let people = try context.all("Person")
                for desk in try context.all("Desk") {
                    #expect(people.filter { $0.one("desk") === desk } == [desk.one("owner")].compactMap { $0 }, "\(policy)")
                }
                let alice = people.first { $0.text("name") == "Alice" }
                switch (staleness, policy) {
                case (_, .errorMergePolicyType): #expect(alice?.one("desk")?.text("name") == (hadDesk ? "Elm" : "Oak"))
                case (.partnerOfChanged, _): #expect(alice?.one("desk")?.text("name") == "Ash", "\(policy)")
                case (.partnerOfDeleted, _): #expect(alice == nil, "\(policy)")
                default: break
                }
            }
            #expect(!held.isEmpty)
        }
    }

    @Test(
        "R05: a member that others gave to an object does not point at it any more when that is deleted, though the member was read before",
        arguments: StackKind.allCases,
        [
            NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
            .overwriteMergePolicyType, .rollbackMergePolicyType, .errorMergePolicyType,
        ])
    func memberOfDeleted(_ kind: StackKind, _ policy: NSMergePolicyType) throws {
        let rivals = try rivals(kind, policy) { try $0.all("Person")[0].set("team", team("Red", $0)) }
        let watch = try SaveWatch(rivals.stack)
        let alice = try rivals.object(in: rivals.second)
        try rivals.saveInFirst { $0.set("team", try team("Green", rivals.first)) }
        var error: NSError?
        try rivals.second.runUnchecked {
            let context = rivals.second
            #expect(alice.one("team")?.text("name") == "Red")
            context.delete(try team("Green", context))
            do { try context.save() } catch let failure as NSError { error = failure }
        }
        #expect(watch.problems == [])
        #expect((error?.code == NSManagedObjectMergeError) == (policy == .errorMergePolicyType))
        try rivals.stored { context throws in
            let team = try context.named("Alice", "Person").one("team")
            #expect(policy == .errorMergePolicyType ? team?.text("name") == "Green" : team == nil)
        }
    }

    @Test(
        "R05: by overwrite only what the program changed is written whole, not what the resolution of a conflict had to change",
        arguments: StackKind.allCases)
    func changedByResolution(_ kind: StackKind) throws {
        let rivals = try rivals(kind, .overwriteMergePolicyType) { _ in }
        let (red, alice) = try rivals.second.runUnchecked {
            let (red, alice) = (try team("Red", rivals.second), try rivals.second.named("Alice", "Person"))
            #expect(red.names("members") == [])
            return (red, alice)
        }
        try rivals.saveInFirst { $0.set("team", try team("Red", rivals.first)) }
        try rivals.second.runUnchecked {
            rivals.second.refresh(alice, mergeChanges: false)
            #expect(alice.one("team") === red && alice.number("age") == 10)
        }
        try rivals.saveInFirst { $0.set("age", 20) }
        try rivals.second.runUnchecked {
            rivals.second.delete(red)
            rivals.second.processPendingChanges()
            #expect(!alice.hasChanges)
            try rivals.second.save()
            #expect(alice.number("age") == 20 && alice.one("team") == nil)
        }
        try rivals.stored { context throws in
            let alice = try context.named("Alice", "Person")
            #expect(alice.number("age") == 20 && alice.one("team") == nil)
        }
    }

    /// What takes an owner's own changes away before a member that it was given is saved.
    enum Dropping: CaseIterable, Sendable { case rollbackPolicy, refresh }

    @Test(
        "R05: an owner counts as changed by a new member though its own changes were dropped: who deletes it elsewhere finds a conflict",
        arguments: StackKind.allCases.flatMap { kind in Dropping.allCases.map { (kind, $0) } },
        [NSMergePolicyType.errorMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType])
    func ownerWithoutChanges(_ scene: (kind: StackKind, dropping: Dropping), _ policy: NSMergePolicyType) throws {
        for isNew in [false, true] {
            let rivals = try rivals(scene.kind, .rollbackMergePolicyType) { _ in }
            let watch = try SaveWatch(rivals.stack)
            let first = rivals.first
            let red = try rivals.second.run { context throws in
                let red = try team("Red", context)
                let person = isNew ? context.make("Person", ["name": "Bob"]) : try context.named("Alice", "Person")
                person.set("team", red)
                return red
            }
            let held = try first.run { context throws in
                let team = try team("Red", context)
                #expect(team.names("members").isEmpty)
                guard scene.dropping == .rollbackPolicy else { return team }
                team.set("name", "Rot")
                try context.save()
                return team
            }
            try rivals.second.runUnchecked {
                if scene.dropping == .refresh { rivals.second.refresh(red, mergeChanges: false) }
                try rivals.second.save()
            }
            first.mergePolicy = NSMergePolicy(merge: policy)
            var error: NSError?
            try first.runUnchecked {
                first.delete(held)
                do { try first.save() } catch let failure as NSError { error = failure }
            }
            #expect((error?.code == NSManagedObjectMergeError) == (policy == .errorMergePolicyType))
            #expect(watch.problems == [])
            try rivals.stored { context throws in
                let person = try context.named(isNew ? "Bob" : "Alice", "Person")
                #expect((person.one("team") == nil) == (error == nil))
            }
        }
    }

    private static func books() -> NSManagedObjectModel {
        var maker = ModelMaker()
        for entity in ["Author", "Book", "Cover"] { maker.entity(entity, [ModelMaker.attribute("name", .string)]) }
        maker.relate("Book", "editor", .one.required, "Author", "edited", .many.cascade)
        maker.relate("Book", "author", .one, "Author", "books", .many)
        maker.relate("Book", "cover", .one, "Cover", "book", .one)
        return maker.model()
    }

    @Test(
        "R05: an object whose deletion a policy takes back does not point at what the same save deletes",
        arguments: StackKind.allCases, ["author", "editor"])
    func ownerOfRestored(_ kind: StackKind, _ key: String) throws {
        let rivals = try Rivals(kind, Self.books(), policy: .rollback) { context in
            let authors = ["a", "b"].map { context.make("Author", ["name": $0]) }
            let book = context.make("Book", ["name": "book", "editor": authors[0], "author": authors[1]])
            book.set("cover", context.make("Cover", ["name": "cover"]))
        }
        let watch = try SaveWatch(rivals.stack)
        try rivals.second.run { context throws in
            #expect(try context.named("cover", "Cover").one("book") != nil)
            let book = try context.named("book", "Book")
            context.delete(try context.named(key == "author" ? "b" : "a", "Author"))
            context.delete(book)
        }
        // The cover's conflict comes after the book's.
        try rivals.saveInFirst("book", "Book") { $0.set("cover", nil) }
        try rivals.second.runUnchecked { try rivals.second.save() }
        #expect(watch.problems == [])
        try rivals.stored { context throws in
            #expect(try context.all("Author").map { $0.text("name") } == [key == "author" ? "a" : "b"])
            // Where it can be without, it stays; else it goes with its owner.
            #expect(try context.all("Book").map { $0.one("author") } == (key == "author" ? [nil] : []))
        }
    }

    @Test(
        "R05: a member that was taken out and put back does not point at its owner when that is deleted, though others took it out for good",
        arguments: StackKind.allCases,
        [
            NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
            .overwriteMergePolicyType,
        ])
    func memberPutBack(_ kind: StackKind, _ policy: NSMergePolicyType) throws {
        for isLoaded in [false, true] { try putBack(kind, policy, isLoaded) }
    }

    @Test(
        "R05: what others give to a deleted object whose values were never read does not go on pointing at it",
        arguments: StackKind.allCases,
        [
            NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
            .overwriteMergePolicyType, .errorMergePolicyType,
        ])
    func givenToUnread(_ kind: StackKind, _ policy: NSMergePolicyType) throws {
        for fetchesLater in [false, true] {
            let rivals = try rivals(kind, policy) { _ in }
            let watch = try SaveWatch(rivals.stack)
            let id = try rivals.first.run { try team("Red", $0).objectID }
            try rivals.second.runUnchecked {
                rivals.second.delete(rivals.second.object(with: id))
                rivals.second.processPendingChanges()
            }
            try rivals.saveInFirst { $0.set("team", try team("Red", rivals.first)) }
            var error: NSError?
            try rivals.second.runUnchecked {
                // It comes along once more, with what it has by now.
                let teams = fetchesLater ? try rivals.second.all("Team").count : 2
                #expect(teams == 2)
                do { try rivals.second.save() } catch let failure as NSError { error = failure }
            }
            #expect(watch.problems == [])
            #expect((error?.code == NSManagedObjectMergeError) == (policy == .errorMergePolicyType))
            try rivals.stored { context throws in
                let team = try context.named("Alice", "Person").one("team")
                #expect(error == nil ? team == nil : team?.text("name") == "Red")
            }
        }
    }

    /// How the row of an object whose members were read comes to be newer than these.
    enum LaterRow: CaseIterable, Sendable { case fetched, fired }

    @Test(
        "R05: what others give to a deleted object does not go on pointing at it, though its row was read later than its members",
        arguments: StackKind.allCases.flatMap { kind in LaterRow.allCases.map { (kind, $0) } },
        [
            NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
            .overwriteMergePolicyType, .rollbackMergePolicyType, .errorMergePolicyType,
        ])
    func givenBeforeRow(_ scene: (kind: StackKind, row: LaterRow), _ policy: NSMergePolicyType) throws {
        for isKnownAsFault in [false, true] {
            let rivals = try rivals(scene.kind, policy) { _ in }
            let watch = try SaveWatch(rivals.stack)
            let id = try rivals.first.run { try team("Red", $0).objectID }
            let red = try rivals.second.runUnchecked {
                let context = rivals.second
                let red =
                    isKnownAsFault
                    ? context.object(with: id) : try context.all("Team").first { $0.objectID == id } ?? context.object(with: id)
                #expect(red.objectIDs(forRelationshipNamed: "members").isEmpty && red.isFault)
                return red
            }
            try rivals.saveInFirst { $0.set("team", try team("Red", rivals.first)) }
            try rivals.second.runUnchecked {
                let context = rivals.second
                switch scene.row {
                case .fetched: _ = try context.all("Team")
                case .fired: #expect(red.value(forKey: "name") as? String == "Red")
                }
                context.delete(red)
                // Nothing was changed since the row was read: there is no conflict.
                try context.save()
            }
            #expect(watch.problems == [])
            try rivals.stored { context throws in
                #expect(try context.named("Alice", "Person").one("team") == nil)
                #expect(try context.all("Team").count == 2)
            }
        }
    }

    private func putBack(_ kind: StackKind, _ policy: NSMergePolicyType, _ isLoaded: Bool) throws {
        let rivals = try rivals(kind, policy) { try $0.all("Person")[0].set("team", team("Red", $0)) }
        let watch = try SaveWatch(rivals.stack)
        let alice = try rivals.object(in: rivals.second)
        try rivals.second.run { context in
            let red = try team("Red", context)
            if isLoaded { _ = red.names("members") }
            alice.set("team", nil)
            alice.set("team", red)
        }
        try rivals.saveInFirst { $0.set("team", nil) }
        try rivals.second.runUnchecked {
            let context = rivals.second
            if isLoaded { context.refreshAllObjects() }
            context.delete(try team("Red", context))
            try context.save()
        }
        #expect(watch.problems == [])
        try rivals.stored { context throws in
            #expect(try context.all("Team").count == 2)
            #expect(try context.named("Alice", "Person").one("team") == nil)
        }
    }

    @Test(
        "R05: what was to be checked for a change that was taken back is no conflict of the next save",
        arguments: StackKind.allCases)
    func changeTakenBack(_ kind: StackKind) throws {
        let rivals = try rivals(kind, .errorMergePolicyType) { _ = $0.make("Person", ["name": "Bob"]) }
        let held = try rivals.second.run { context in
            try load(context)
            return try (context.all("Desk") + context.all("Person")).loaded
        }
        try rivals.saveInFirst { $0.set("desk", try rivals.first.named("Oak", "Desk")) }
        try rivals.second.runUnchecked {
            let context = rivals.second
            let alice = try context.named("Alice", "Person")
            context.refresh(alice, mergeChanges: false)
            alice.set("desk", try context.named("Ash", "Desk"))
            context.rollback()
            try context.named("Bob", "Person").set("age", 11)
            try context.save()
            #expect(!context.hasChanges)
        }
        #expect(!held.isEmpty)
    }

    @Test(
        "CTX-122: of two values of a to-one relationship the policy takes one, and both sides agree",
        arguments: StackKind.allCases,
        [
            (NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, "Blue"),
            (.mergeByPropertyStoreTrumpMergePolicyType, "Green"),
            (.overwriteMergePolicyType, "Blue"), (.rollbackMergePolicyType, "Green"),
        ])
    func toOne(_ kind: StackKind, _ expectation: (NSMergePolicyType, String)) throws {
        let (policy, winner) = expectation
        let rivals = try rivals(kind, policy) { try $0.all("Person")[0].set("team", team("Red", $0)) }
        // The objects of all three teams stay in use.
        let held = try rivals.second.run { context in
            try load(context)
            return try (context.all("Team") + context.all("Person")).loaded
        }
        try rivals.saveInFirst { $0.set("team", try team("Green", rivals.first)) }
        try rivals.second.run { context in
            let alice = try context.named("Alice", "Person")
            alice.set("team", try team("Blue", context))
            try context.save()
            #expect(alice.one("team")?.text("name") == winner)
            for name in ["Red", "Green", "Blue"] {
                try #expect(team(name, context).names("members") == (name == winner ? ["Alice"] : []), "\(name)")
            }
            #expect(!context.hasChanges)
        }
        try rivals.stored { context in
            try #expect(context.named("Alice", "Person").one("team")?.text("name") == winner)
            for name in ["Red", "Green", "Blue"] {
                try #expect(team(name, context).names("members") == (name == winner ? ["Alice"] : []))
            }
        }
        #expect(held.count == 4)
    }

    @Test(
        "CTX-122: of two values of a one-to-one relationship the policy takes one, and both sides agree",
        arguments: StackKind.allCases,
        [
            (NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, "Ash"),
            (.mergeByPropertyStoreTrumpMergePolicyType, "Elm"),
            (.overwriteMergePolicyType, "Ash"), (.rollbackMergePolicyType, "Elm"),
        ])
    func oneToOne(_ kind: StackKind, _ expectation: (NSMergePolicyType, String)) throws {
        let (policy, winner) = expectation
        let rivals = try rivals(kind, policy) { try $0.all("Person")[0].set("desk", $0.named("Oak", "Desk")) }
        let held = try rivals.second.run { context in
            try load(context)
            return try (context.all("Desk") + context.all("Person")).loaded
        }
        try rivals.saveInFirst { $0.set("desk", try rivals.first.named("Elm", "Desk")) }
        try rivals.second.run { context in
            let alice = try context.named("Alice", "Person")
            alice.set("desk", try context.named("Ash", "Desk"))
            try context.save()
            #expect(alice.one("desk")?.text("name") == winner)
            for desk in try context.all("Desk") {
                #expect((desk.one("owner") === alice) == (desk.text("name") == winner), "\(desk.text("name") ?? "")")
            }
        }
        try rivals.stored { context in
            let alice = try context.named("Alice", "Person")
            #expect(alice.one("desk")?.text("name") == winner)
            for desk in try context.all("Desk") { #expect((desk.one("owner") === alice) == (desk.text("name") == winner)) }
        }
        #expect(held.count == 4)
    }

    @Test(
        "CTX-122: members of a many-to-many relationship are merged as a difference", arguments: StackKind.allCases,
        [
            (NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, "SQL Latin"),
            (.mergeByPropertyStoreTrumpMergePolicyType, "SQL Latin"), (.overwriteMergePolicyType, "SQL Latin"),
            (.rollbackMergePolicyType, "C SQL"),
        ])
    func manyToMany(_ kind: StackKind, _ expectation: (NSMergePolicyType, String)) throws {
        let policy = expectation.0
        let expected = Set(expectation.1.split(separator: " ").map(String.init))
        let rivals = try rivals(kind, policy) { context in
            try context.all("Person")[0].set("skills", Set([context.named("Swift", "Skill"), context.named("C", "Skill")]))
        }
        let held = try rivals.second.run { context in
            try load(context)
            return try (context.all("Skill") + context.all("Person")).loaded
        }
        try rivals.saveInFirst { alice in
            alice.remove(try rivals.first.named("Swift", "Skill"), from: "skills")
            alice.add(try rivals.first.named("SQL", "Skill"), to: "skills")
        }
        try rivals.second.run { context in
            let alice = try context.named("Alice", "Person")
            alice.remove(try context.named("C", "Skill"), from: "skills")
            alice.add(try context.named("Latin", "Skill"), to: "skills")
            try context.save()
            #expect(alice.names("skills") == expected)
            for skill in try context.all("Skill") {
                #expect(
                    (skill.names("people") == ["Alice"]) == expected.contains(skill.text("name") ?? ""),
                    "\(skill.text("name") ?? "")")
            }
        }
        try rivals.stored { context in
            try #expect(context.named("Alice", "Person").names("skills") == expected)
            for skill in try context.all("Skill") {
                #expect((skill.names("people") == ["Alice"]) == expected.contains(skill.text("name") ?? ""))
            }
        }
        #expect(held.count == 5)
    }

    @Test(
        "CTX-122: members that two contexts add to one owner are both there afterwards", arguments: StackKind.allCases,
        [
            NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
            .overwriteMergePolicyType,
        ])
    func oneToMany(_ kind: StackKind, _ policy: NSMergePolicyType) throws {
        let rivals = try rivals(kind, policy) { try $0.all("Person")[0].set("team", team("Red", $0)) }
        try rivals.second.run { context in try load(context) }
        let red = try rivals.object("Red", "Team", in: rivals.second)
        try rivals.first.run { context in
            _ = context.make("Person", ["name": "Bob", "team": try team("Red", context)])
            try context.save()
        }
        try rivals.second.run { context in
            _ = context.make("Person", ["name": "Cid", "team": red])
            try context.save()
            #expect(red.names("members") == ["Alice", "Bob", "Cid"])
        }
        try #expect(rivals.stored { try team("Red", $0).names("members") } == ["Alice", "Bob", "Cid"])
    }

    @Test("CTX-122: an order of one's own goes over members that others added", arguments: StackKind.allCases)
    func ordered(_ kind: StackKind) throws {
        let rivals = try Rivals(kind, policy: .mergeByPropertyObjectTrump) { context in
            let songs = ["a", "b", "c"].map { context.make("Song", ["name": $0]) }
            _ = context.make("Person", ["name": "Alice", "playlist": NSOrderedSet(array: songs)])
            _ = context.make("Song", ["name": "d"])
        }
        let alice = try rivals.object(in: rivals.second)
        _ = try rivals.second.run { _ in alice.nameList("playlist") }
        try rivals.saveInFirst { alice in
            alice.set("playlist", NSOrderedSet(array: alice.list("playlist") + [try rivals.first.named("d", "Song")]))
        }
        try rivals.second.run { context in
            alice.set("playlist", NSOrderedSet(array: Array(alice.list("playlist").reversed())))
            try context.save()
            #expect(alice.nameList("playlist") == ["c", "b", "a", "d"])
        }
        try #expect(rivals.stored { try $0.named("Alice", "Person").nameList("playlist") } == ["c", "b", "a", "d"])
    }

    @Test("CTX-119: by rollback a member's own change stays, for it is not in conflict", arguments: StackKind.allCases)
    func rollbackKeepsMembers(_ kind: StackKind) throws {
        let rivals = try rivals(kind, .rollbackMergePolicyType) { context in
            _ = context.make("Person", ["name": "Bob", "team": try team("Green", context)])
        }
        let held = try rivals.second.run { context in
            try load(context)
            return try (context.all("Team") + context.all("Person")).loaded
        }
        try rivals.first.run { context in
            try team("Red", context).set("name", "Crimson")
            try context.save()
        }
        try rivals.second.run { context in
            let red = try team("Red", context)
            let bob = try context.named("Bob", "Person")
            bob.set("team", red)
            try context.save()
            #expect(red.text("name") == "Crimson" && red.names("members") == ["Bob"] && bob.one("team") === red)
            try #expect(team("Green", context).names("members").isEmpty)
        }
        try #expect(rivals.stored { try $0.named("Bob", "Person").one("team")?.text("name") } == "Crimson")
        #expect(held.count == 5)
    }

    @Test(
        "A relationship whose destination was deleted here and chosen elsewhere is nil afterwards", arguments: StackKind.allCases)
    func deletedDestination(_ kind: StackKind) throws {
        let rivals = try rivals(kind, .mergeByPropertyStoreTrumpMergePolicyType) { _ in }
        let held = try rivals.second.run { context in
            try load(context)
            return try (context.all("Team") + context.all("Person")).loaded
        }
        try rivals.saveInFirst { $0.set("team", try team("Green", rivals.first)) }
        try rivals.second.run { context in
            let alice = try context.named("Alice", "Person")
            alice.set("age", 11)
            context.delete(try team("Green", context))
            try context.save()
            #expect(alice.one("team") == nil && alice.number("age") == 11)
        }
        try rivals.stored { context in
            try #expect(context.named("Alice", "Person").one("team") == nil)
            try #expect(context.all("Team").count == 2)
        }
        #expect(held.count == 4)
    }

    @Test("CTX-122: destinations of subentities are told apart", arguments: StackKind.allCases)
    func subentities(_ kind: StackKind) throws {
        let rivals = try Rivals(kind, policy: .mergeByPropertyObjectTrump) { context in
            for name in ["Bo", "Al"] { _ = context.make("Person", ["name": name]) }
            _ = context.make("Manager", ["name": "Max"])
            _ = context.make("Person", ["name": "Alice", "boss": try context.named("Bo", "Person")])
        }
        let alice = try rivals.object(in: rivals.second)
        _ = try rivals.second.run { _ in alice.one("boss") }
        try rivals.saveInFirst { $0.set("boss", try rivals.first.named("Al", "Person")) }
        try rivals.second.run { context in
            alice.set("boss", try context.named("Max", "Person"))
            try context.save()
            #expect(alice.one("boss")?.entity.name == "Manager")
        }
        try #expect(rivals.stored { try $0.named("Alice", "Person").one("boss")?.entity.name } == "Manager")
    }
}

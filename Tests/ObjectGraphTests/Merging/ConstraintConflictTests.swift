import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Testing

@Suite("Conflicts of uniqueness constraints")
struct ConstraintConflictTests {
    /// Countries with a unique code, and what refers to them in every way.
    static func model() -> NSManagedObjectModel {
        var maker = ModelMaker()
        let country = maker.entity(
            "Country",
            [
                ModelMaker.attribute("code", .string), ModelMaker.attribute("name", .string),
                ModelMaker.attribute("people", .integer64),
                ModelMaker.attribute("area", .double, default: 1.0),
            ])
        country.uniquenessConstraints = [["code"]]
        maker.entity("Island", parent: "Country", [ModelMaker.attribute("height", .integer32)])
        let city = maker.entity("City", [ModelMaker.attribute("name", .string), ModelMaker.attribute("zip", .integer32)])
        for name in ["Language", "Flag", "Note", "Route"] { maker.entity(name, [ModelMaker.attribute("name", .string)]) }
        maker.relate("City", "country", .one, "Country", "cities", .many.cascade)
        maker.relate("Country", "languages", .many, "Language", "countries", .many)
        maker.relate("Country", "flag", .one, "Flag", "country", .one)
        maker.relate("Route", "stops", .ordered, "Country", "routes", .many)
        maker.point("Note", "country", .one, "Country")
        maker.point("Note", "others", .many, "Country")
        city.uniquenessConstraints = [["country", "zip"]]
        return maker.model()
    }

    private func stack(_ policy: NSMergePolicyType, _ fill: (NSManagedObjectContext) throws -> Void = { _ in }) throws
        -> TestStack
    {
        let stack = try TestStack(.sqlite, Self.model())
        try stack.run { context in
            try fill(context)
            try context.save()
            context.mergePolicy = NSMergePolicy(merge: policy)
        }
        return stack
    }

    /// Code, name and people of the saved countries, by code.
    private func countries(_ stack: TestStack) throws -> [String: String] {
        try stack.fresh { context in
            let all = try context.all("Country", by: "code")
            return Dictionary(
                all.map { ($0.text("code") ?? "nil", "\($0.text("name") ?? "nil") \($0.number("people") ?? -1)") },
                uniquingKeysWith: { "\($0), \($1)" })
        }
    }

    // MARK: The error policy

    @Test("CTX-142, CTX-144, CTX-146: a new object with a row's values is error 133021 with the conflict")
    func error() throws {
        try stack(.errorMergePolicyType) { _ = $0.make("Country", ["code": "it", "name": "Italy", "people": 59]) }.run {
            context in
            let existing = try context.all("Country")[0]
            let new = context.make("Country", ["code": "it", "name": "Italia"])
            context.processPendingChanges()
            let error = try thrownError { try context.save() }
            #expect(
                error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectConstraintMergeError && error.code == 133021)
            #expect(error.userInfo["conflictList"] is [NSConstraintConflict])
            let conflict = try #require(error.constraintConflicts.first)
            #expect(error.constraintConflicts.count == 1)
            #expect(conflict.constraint == ["code"])
            #expect(conflict.constraintValues["code"] as? String == "it")
            #expect(conflict.databaseObject === existing)
            #expect(
                conflict.databaseSnapshot?["name"] as? String == "Italy" && conflict.databaseSnapshot?["people"] as? Int == 59)
            #expect(conflict.conflictingObjects == [new])
            #expect(conflict.conflictingSnapshots.first?["name"] as? String == "Italia")
            #expect(new.objectID.isTemporaryID)
        }
    }

    @Test("CTX-145: two new objects with the same values are a conflict without a row")
    func duplicates() throws {
        try stack(.errorMergePolicyType).run { context in
            let objects = ["Italy", "Italia"].map { context.make("Country", ["code": "it", "name": $0]) }
            _ = context.make("Country", ["code": "fr"])
            let error = try thrownError { try context.save() }
            #expect(error.code == NSManagedObjectConstraintMergeError)
            let conflict = try #require(error.constraintConflicts.first)
            #expect(conflict.databaseObject == nil && conflict.databaseSnapshot == nil)
            #expect(conflict.conflictingObjects == objects && conflict.conflictingSnapshots.count == 2)
        }
    }

    @Test("CTX-155, CTX-99: the object stays pending and fails each save until it is removed or changed")
    func staysPending() throws {
        let stack = try stack(.errorMergePolicyType) { _ = $0.make("Country", ["code": "it", "name": "Italy"]) }
        try stack.run { context in
            let new = context.make("Country", ["code": "it", "name": "Italia"])
            let other = context.make("Country", ["code": "fr", "name": "France"])
            for _ in 0..<3 {
                try #expect(thrownError { try context.save() }.code == NSManagedObjectConstraintMergeError)
                #expect(context.insertedObjects == [new, other])
            }
        }
        try #expect(countries(stack) == ["it": "Italy -1"])
        try stack.run { context in
            context.insertedObjects.first { $0.text("code") == "it" }?.set("code", "va")
            try context.save()
        }
        try #expect(countries(stack) == ["it": "Italy -1", "va": "Italia -1", "fr": "France -1"])
    }

    @Test("CTX-144: one error has all conflicts of the save")
    func allConflicts() throws {
        try stack(.errorMergePolicyType) { context in
            for index in 0..<20 { _ = context.make("Country", ["code": "c\(index)"]) }
        }.run { context in
            for index in 10..<30 { _ = context.make("Country", ["code": "c\(index)"]) }
            let error = try thrownError { try context.save() }
            #expect(
                Set(error.constraintConflicts.compactMap { $0.constraintValues["code"] as? String })
                    == Set((10..<20).map { "c\($0)" }))
        }
    }

    @Test("CTX-143: nil never conflicts")
    func nilValues() throws {
        let stack = try stack(.errorMergePolicyType)
        try stack.run { context in
            for _ in 0..<3 { _ = context.make("Country", ["name": "?"]) }
            _ = context.make("City", ["zip": 1])
            _ = context.make("City", ["zip": 1])
            try context.save()
        }
        try #expect(stack.fresh { try $0.all("Country").count } == 3)
    }

    @Test(
        "CTX-140: a subentity inherits the constraint",
        arguments: [
            NSMergePolicyType.errorMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
            .mergeByPropertyStoreTrumpMergePolicyType,
        ])
    func subentity(_ policy: NSMergePolicyType) throws {
        let stack = try stack(policy) { _ = $0.make("Country", ["code": "is", "name": "Iceland", "people": 1]) }
        try stack.run { context in
            _ = context.make("Island", ["code": "is", "name": "Ísland", "height": 2110])
            if policy == .mergeByPropertyStoreTrumpMergePolicyType {
                try context.save()
            } else {
                // R03: the row of a country has no room for what only an island has.
                let error = try thrownError { try context.save() }
                #expect(error.code == NSManagedObjectConstraintMergeError)
                #expect(error.constraintConflicts.first?.databaseObject?.entity.name == "Country")
                #expect(context.insertedObjects.count == 1, "nothing was changed")
                context.rollback()
            }
        }
        try #expect(countries(stack) == ["is": "Iceland 1"])
    }

    @Test(
        "R03: the row of a subentity takes over what was set in an object of the parent's entity, and two new ones of both become one"
    )
    func parentEntity() throws {
        let stack = try stack(.mergeByPropertyObjectTrumpMergePolicyType) {
            _ = $0.make("Island", ["code": "is", "name": "Iceland", "people": 1, "height": 2110])
        }
        try stack.run { context in
            _ = context.make("Country", ["code": "is", "name": "Ísland"])
            _ = context.make("Country", ["code": "mt", "people": 5, "name": "old"])
            _ = context.make("Island", ["code": "mt", "name": "Malta", "height": 253])
            try context.save()
        }
        try #expect(countries(stack) == ["is": "Ísland 1", "mt": "Malta 5"])
        try stack.fresh { context throws in
            #expect(try context.all("Island", by: "code").map { $0.number("height") } == [2110, 253])
        }
    }

    @Test("CTX-141: a store in memory does not check")
    func inMemory() throws {
        let stack = try TestStack(.inMemory, Self.model())
        try stack.run { context in
            for _ in 0..<2 { _ = context.make("Country", ["code": "it"]) }
            try context.save()
        }
        try #expect(stack.fresh { try $0.all("Country").count } == 2)
    }

    @Test("CTX-152: with a to-one relationship in a constraint its destination counts")
    func toOneInConstraint() throws {
        let stack = try stack(.errorMergePolicyType) { context in
            let italy = context.make("Country", ["code": "it"])
            _ = context.make("City", ["name": "Rome", "country": italy, "zip": 1])
            _ = context.make("City", ["name": "Paris", "country": context.make("Country", ["code": "fr"]), "zip": 1])
        }
        try stack.run { context in
            let italy = try context.all("Country", by: "code")[1]
            let milan = context.make("City", ["name": "Milan", "country": italy, "zip": 2])
            try context.save()
            let turin = context.make("City", ["name": "Turin", "country": italy, "zip": 2])
            let conflict = try #require(try thrownError { try context.save() }.constraintConflicts.first)
            #expect(
                conflict.constraint == ["country", "zip"] && conflict.databaseObject === milan
                    && conflict.conflictingObjects == [turin])
            #expect(conflict.constraintValues["country"] as? NSManagedObject === italy)
            context.rollback()
            // Both in one country that is new itself.
            let spain = context.make("Country", ["code": "es"])
            for name in ["Soria", "Vigo"] { _ = context.make("City", ["name": name, "country": spain, "zip": 5]) }
            let among = try #require(try thrownError { try context.save() }.constraintConflicts.first)
            #expect(among.databaseObject == nil && among.conflictingObjects.count == 2)
        }
    }

    // MARK: New objects

    @Test("CTX-147: by object trump the row keeps its identity and gets what was set in the new object")
    func objectTrump() throws {
        let stack = try stack(.mergeByPropertyObjectTrumpMergePolicyType) {
            _ = $0.make("Country", ["code": "it", "name": "Italy", "people": 59, "area": 302.0])
        }
        let id = try stack.run { try $0.all("Country")[0].objectID }
        try stack.run { context in
            let new = context.make("Country", ["code": "it", "name": "Italia"])
            let log = NotificationLog(context)
            try context.save()
            #expect(!context.hasChanges && new.managedObjectContext == nil)
            let survivor = try context.all("Country")[0]
            #expect(survivor.objectID == id && survivor.text("name") == "Italia")
            let saved = try #require(log.take().first { $0.kind == "didSave" })
            #expect(saved.inserted.isEmpty && saved.updated == [survivor] && saved.deleted.isEmpty)
        }
        try #expect(countries(stack) == ["it": "Italia 59"])
        try stack.fresh { context in
            let country = try context.all("Country")[0]
            #expect(country.objectID == id && country.value(forKey: "area") as? Double == 302)
        }
    }

    @Test("CTX-147, R03: by overwrite, too, the row keeps what was not set in the new object")
    func overwrite() throws {
        let stack = try stack(.overwriteMergePolicyType) {
            _ = $0.make("Country", ["code": "it", "name": "Italy", "people": 59, "area": 302.0])
        }
        try stack.run { context in
            _ = context.make("Country", ["code": "it", "name": "Italia"])
            try context.save()
        }
        try #expect(countries(stack) == ["it": "Italia 59"])
        try #expect(stack.fresh { try $0.all("Country")[0].value(forKey: "area") as? Double } == 302)
    }

    @Test(
        "R03: by overwrite, too, a row keeps what others gave it and nobody has set here, though the context had read it before")
    func overwriteOfOldValues() throws {
        let stack = try stack(.overwriteMergePolicyType) {
            _ = $0.make("Country", ["code": "it", "name": "Italy", "people": 59])
        }
        let held = try stack.run { context in
            let held = try context.all("Country")[0]
            #expect(held.number("people") == 59)
            return held
        }
        try stack.newContext().run { context in
            try context.all("Country")[0].set("people", 60)
            try context.save()
        }
        try stack.context.runUnchecked {
            _ = stack.context.make("Country", ["code": "it", "name": "Italia"])
            try stack.context.save()
            #expect(held.number("people") == 60)
        }
        try #expect(countries(stack) == ["it": "Italia 60"])
    }

    @Test(
        "R03: an upsert keeps what was not set: attributes with and without default, transformables, relationships of every kind",
        arguments: [
            NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
            .mergeByPropertyStoreTrumpMergePolicyType,
        ])
    func keepsWhatWasNotSet(_ policy: NSMergePolicyType) throws {
        let stack = try TestStack(.sqlite, Shop.model())
        let watch = try SaveWatch(stack)
        try stack.run { context throws in
            let item = context.make(
                "Item",
                [
                    "code": "1", "name": "old", "count": 9, "weight": 3.5, "price": NSDecimalNumber(string: "1.5"),
                    "tags": ["a", "b"] as NSArray, "isNew": true,
                ])
            item.set("shelf", context.make("Shelf", ["name": "s"]))
            item.set("label", context.make("Label", ["name": "l"]))
            item.set("parts", [context.make("Part", ["name": "p"])])
            item.set("tags2", [context.make("Tag", ["name": "t"])])
            try context.save()
        }
        // In one save: a new object and a later one with the same code, which each set something.
        try stack.fresh { context throws in
            context.mergePolicy = NSMergePolicy(merge: policy)
            context.make("Item", ["code": "1", "made": Date(timeIntervalSinceReferenceDate: 5)])
            context.make("Item", ["code": "1", "name": "new"])
            context.make("Item", ["code": "2", "name": "x", "weight": 1.0])
            context.make("Item", ["code": "2", "name": "y", "count": 6])
            try context.save()
        }
        try stack.fresh { context throws in
            let item = try #require(context.all("Item").first { $0.text("code") == "1" })
            let isStoreTrump = policy == .mergeByPropertyStoreTrumpMergePolicyType
            #expect(item.text("name") == (isStoreTrump ? "old" : "new"))
            #expect((item.value(forKey: "made") == nil) == isStoreTrump)
            #expect(
                item.number("count") == 9 && item.value(forKey: "weight") as? Double == 3.5
                    && item.value(forKey: "isNew") as? Bool == true)
            #expect(item.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: "1.5"))
            #expect((item.value(forKey: "tags") as? NSArray)?.count == 2)
            #expect(item.one("shelf")?.text("name") == "s" && item.one("label")?.text("name") == "l")
            #expect(item.names("parts") == ["p"] && item.names("tags2") == ["t"])
            guard !isStoreTrump else { return }
            let other = try #require(context.all("Item").first { $0.text("code") == "2" })
            #expect(other.text("name") == "y" && other.number("count") == 6)
            #expect(other.value(forKey: "weight") as? Double == 1, "the earlier of the new ones has set it")
        }
        #expect(watch.problems == [])
    }

    @Test("CTX-148: by store trump the row keeps its values")
    func storeTrump() throws {
        let stack = try stack(.mergeByPropertyStoreTrumpMergePolicyType) {
            _ = $0.make("Country", ["code": "it", "name": "Italy", "people": 59])
        }
        try stack.run { context in
            _ = context.make("Country", ["code": "it", "name": "Italia", "people": 60])
            _ = context.make("Country", ["code": "fr", "name": "France"])
            try context.save()
        }
        try #expect(countries(stack) == ["it": "Italy 59", "fr": "France -1"])
    }

    @Test(
        "CTX-148, CTX-147: what pointed at the new object points at the row's object, in every kind of relationship",
        arguments: [
            NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
            .overwriteMergePolicyType,
        ])
    func relationships(_ policy: NSMergePolicyType) throws {
        let stack = try stack(policy) { context in
            let old = context.make("Country", ["code": "it", "name": "Italy"])
            _ = context.make("City", ["name": "Rome", "country": old, "zip": 1])
            old.add(context.make("Language", ["name": "Italian"]), to: "languages")
            _ = context.make("Country", ["code": "fr", "name": "France"])
        }
        try stack.run { context in
            let france = try context.all("Country", by: "code")[0]
            let new = context.make("Country", ["code": "it", "name": "Italia"])
            _ = context.make("City", ["name": "Milan", "country": new, "zip": 2])
            for name in ["Latin", "Ladin"] { new.add(context.make("Language", ["name": name]), to: "languages") }
            new.set("flag", context.make("Flag", ["name": "tricolore"]))
            let route = context.make("Route", ["name": "E70"])
            route.set("stops", NSOrderedSet(array: [new, france]))
            let note = context.make("Note", ["name": "n", "country": new])
            note.set("others", Set([new, france]))
            try context.save()
            #expect(!context.hasChanges)
            #expect(route.list("stops").map { $0.text("code") } == ["it", "fr"])
            #expect(note.one("country")?.objectID.isTemporaryID == false)
        }
        try stack.fresh { context in
            let italy = try context.all("Country", by: "code")[1]
            try #expect(context.all("Country").count == 2)
            #expect(italy.names("cities") == ["Rome", "Milan"])
            #expect(italy.names("languages") == ["Italian", "Latin", "Ladin"])
            #expect(italy.one("flag")?.text("name") == "tricolore")
            try #expect(context.all("Route")[0].list("stops").map { $0.text("code") } == ["it", "fr"])
            let note = try context.all("Note")[0]
            #expect(note.one("country") === italy && note.many("others").count == 2 && note.many("others").contains(italy))
            for city in try context.all("City") { #expect(city.one("country") === italy) }
        }
    }

    @Test("CTX-148 (objcio): two contexts that each make the same region end with one, which has both members")
    func twoContexts() throws {
        let stack = try stack(.mergeByPropertyStoreTrumpMergePolicyType)
        let second = stack.newContext()
        second.mergePolicy = NSMergeByPropertyStoreTrumpMergePolicy
        let first = try stack.run { context in
            context.make("City", ["name": "Berlin", "country": context.make("Country", ["code": "de"])])
        }
        let other = try second.run { context in
            context.make("City", ["name": "Bonn", "country": context.make("Country", ["code": "de"])])
        }
        try stack.run { try $0.save() }
        try second.run { context in
            try context.save()
            #expect(other.one("country")?.many("cities").count == 2)
        }
        let ids = try (stack.run { _ in first.one("country")?.objectID }, second.run { _ in other.one("country")?.objectID })
        #expect(ids.0 != nil && ids.0 == ids.1)
    }

    @Test("CTX-149: by rollback the new object is discarded, and what was related to it is as it was")
    func rollback() throws {
        let stack = try stack(.rollbackMergePolicyType) { context in
            _ = context.make("Country", ["code": "it", "name": "Italy"])
            let france = context.make("Country", ["code": "fr", "name": "France"])
            _ = context.make("City", ["name": "Nice", "country": france])
        }
        try stack.run { context in
            let nice = try context.named("Nice", "City")
            let new = context.make("Country", ["code": "it", "name": "Italia"])
            nice.set("country", new)
            _ = context.make("City", ["name": "Turin", "country": new])
            _ = context.make("Country", ["code": "es", "name": "Spain"])
            try context.save()
            #expect(nice.one("country")?.text("code") == "fr" && new.managedObjectContext == nil)
        }
        try #expect(countries(stack) == ["it": "Italy -1", "fr": "France -1", "es": "Spain -1"])
        try stack.fresh { context in
            try #expect(context.named("Nice", "City").one("country")?.text("code") == "fr")
            try #expect(context.named("Turin", "City").one("country") == nil)
        }
    }

    @Test(
        "CTX-151: of new duplicates one row results",
        arguments: [
            (NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, "Italia"), (.overwriteMergePolicyType, "Italia"),
            (.mergeByPropertyStoreTrumpMergePolicyType, "Italy"), (.rollbackMergePolicyType, "Italy"),
        ])
    func newDuplicates(_ policy: NSMergePolicyType, _ name: String) throws {
        let stack = try stack(policy)
        try stack.run { context in
            for name in ["Italy", "Italie", "Italia"] {
                let country = context.make("Country", ["code": "it", "name": name])
                _ = context.make("City", ["name": "C" + name, "country": country])
            }
            try context.save()
            #expect(!context.hasChanges)
        }
        try #expect(countries(stack) == ["it": "\(name) -1"])
        let members = try stack.fresh { try $0.all("Country")[0].names("cities") }
        #expect(members == (policy == .rollbackMergePolicyType ? ["CItaly"] : ["CItaly", "CItalie", "CItalia"]))
    }

    @Test(
        "CTX-151: duplicates of each other and of a row become that row",
        arguments: [
            (NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, "c"), (.mergeByPropertyStoreTrumpMergePolicyType, "a"),
            (.rollbackMergePolicyType, "a"), (.overwriteMergePolicyType, "c"),
        ])
    func duplicatesOfRow(_ policy: NSMergePolicyType, _ name: String) throws {
        let stack = try stack(policy) { _ = $0.make("Country", ["code": "it", "name": "a"]) }
        let id = try stack.run { try $0.all("Country")[0].objectID }
        try stack.run { context in
            for name in ["b", "c"] { _ = context.make("Country", ["code": "it", "name": name]) }
            try context.save()
        }
        try #expect(countries(stack) == ["it": "\(name) -1"])
        try #expect(stack.fresh { try $0.all("Country")[0].objectID } == id)
    }

    // MARK: Saved objects

    @Test(
        "CTX-150: by object trump a saved object that takes a row's values stays, and the other row goes with its members moved",
        arguments: [
            NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
        ])
    func updateByObjectTrump(_ policy: NSMergePolicyType) throws {
        let stack = try stack(policy) { context in
            _ = context.make(
                "City", ["name": "Rome", "country": context.make("Country", ["code": "it", "name": "Italy", "people": 59])])
            _ = context.make("City", ["name": "Pisa", "country": context.make("Country", ["code": "xx", "name": "Italia"])])
        }
        try stack.run { context in
            let country = try context.all("Country", by: "code")[1]
            country.set("code", "it")
            try context.save()
            #expect(country.names("cities") == ["Rome", "Pisa"])
        }
        try #expect(countries(stack) == ["it": "Italia -1"])
        try #expect(stack.fresh { try $0.all("Country")[0].names("cities") } == ["Rome", "Pisa"])
    }

    @Test(
        "CTX-150 (choice): by store trump a saved object that takes a row's values gets its own back and keeps its other changes")
    func updateByStoreTrump() throws {
        let stack = try stack(.mergeByPropertyStoreTrumpMergePolicyType) { context in
            _ = context.make("Country", ["code": "it", "name": "Italy"])
            _ = context.make("Country", ["code": "xx", "name": "?"])
        }
        try stack.run { context in
            let country = try context.all("Country", by: "code")[1]
            country.set("code", "it")
            country.set("people", 5)
            try context.save()
            #expect(country.text("code") == "xx")
        }
        try #expect(countries(stack) == ["it": "Italy -1", "xx": "? 5"])
    }

    @Test("CTX-150, CTX-149: by rollback a saved object that takes a row's values loses its changes")
    func updateByRollback() throws {
        let stack = try stack(.rollbackMergePolicyType) { context in
            _ = context.make("Country", ["code": "it", "name": "Italy"])
            _ = context.make("Country", ["code": "xx", "name": "?"])
        }
        try stack.run { context in
            let countries = try context.all("Country", by: "code")
            countries[1].set("code", "it")
            countries[1].set("people", 5)
            countries[0].set("people", 7)
            try context.save()
            #expect(countries[1].text("code") == "xx" && countries[1].changedValues().isEmpty)
        }
        try #expect(countries(stack) == ["it": "Italy 7", "xx": "? -1"])
    }

    @Test(
        "Objects that exchange or hand on unique values in one save do so, under every policy",
        arguments: [
            NSMergePolicyType.errorMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
            .mergeByPropertyStoreTrumpMergePolicyType,
        ])
    func exchange(_ policy: NSMergePolicyType) throws {
        let stack = try stack(policy) { context in
            for name in ["a", "b", "c", "d"] { _ = context.make("Country", ["code": name, "name": name]) }
        }
        try stack.run { context in
            let countries = try context.all("Country", by: "code")
            countries[0].set("code", "b")
            countries[1].set("code", "a")
            countries[2].set("code", "d")
            context.delete(countries[3])
            _ = context.make("Country", ["code": "c", "name": "new"])
            try context.save()
            #expect(!context.hasChanges)
            for country in countries.prefix(3) { country.set("people", 1) }
            try context.save()
        }
        try #expect(countries(stack) == ["b": "a 1", "a": "b 1", "d": "c 1", "c": "new -1"])
    }

    @Test(
        "A new object may take over the values of a row that another context deleted or changed",
        arguments: [
            NSMergePolicyType.errorMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
        ])
    func takenOver(_ policy: NSMergePolicyType) throws {
        let stack = try stack(policy) { context in
            for name in ["a", "b"] { _ = context.make("Country", ["code": name, "name": name]) }
        }
        let held = try stack.run { try $0.all("Country", by: "code") }
        try stack.fresh { context in
            let countries = try context.all("Country", by: "code")
            context.delete(countries[0])
            countries[1].set("code", "z")
            try context.save()
        }
        try stack.run { context in
            for name in ["a", "b"] { _ = context.make("Country", ["code": name, "name": "new"]) }
            try context.save()
        }
        try #expect(countries(stack) == ["a": "new -1", "b": "new -1", "z": "b -1"])
        #expect(held.count == 2)
    }

    // MARK: The rest

    @Test("CTX-126: a policy of one's own hears of constraints, and what it sets is saved")
    func customPolicy() throws {
        final class Joining: NSMergePolicy {
            override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
                try super.resolve(constraintConflicts: list)
                for conflict in list {
                    let names = [conflict.databaseSnapshot?["name"]] + conflict.conflictingSnapshots.map { $0["name"] }
                    conflict.databaseObject?.setValue(names.compactMap { $0 as? String }.joined(separator: "+"), forKey: "name")
                }
            }
        }
        let stack = try stack(.errorMergePolicyType) { _ = $0.make("Country", ["code": "it", "name": "a"]) }
        try stack.run { context in
            context.mergePolicy = Joining(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            for name in ["b", "c"] { _ = context.make("Country", ["code": "it", "name": name]) }
            try context.save()
        }
        try #expect(countries(stack) == ["it": "a+b+c -1"])
    }

    @Test("CTX-127: a conflict that a policy leaves alone ends in an error")
    func unresolved() throws {
        final class Lazy: NSMergePolicy {
            override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {}
        }
        let stack = try stack(.errorMergePolicyType) { _ = $0.make("Country", ["code": "it"]) }
        try stack.run { context in
            context.mergePolicy = Lazy(merge: .overwriteMergePolicyType)
            _ = context.make("Country", ["code": "it"])
            try #expect(thrownError { try context.save() }.code == NSManagedObjectConstraintMergeError)
        }
    }

    @Test("CTX-110, CTX-147: version conflicts and constraints in one save")
    func bothKinds() throws {
        let stack = try stack(.mergeByPropertyObjectTrumpMergePolicyType) { context in
            _ = context.make("Country", ["code": "it", "name": "Italy", "people": 1])
            _ = context.make("Country", ["code": "fr", "name": "France", "people": 1])
        }
        let held = try stack.run { context in
            let all = try context.all("Country", by: "code")
            for country in all { _ = country.text("name") }
            return all
        }
        try stack.fresh { context in
            for country in try context.all("Country") { country.set("people", 2) }
            try context.save()
        }
        try stack.run { context in
            held[0].set("name", "La France")
            _ = context.make("Country", ["code": "it", "name": "Italia"])
            try context.save()
        }
        try #expect(countries(stack) == ["it": "Italia 2", "fr": "La France 2"])
    }

    @Test("CTX-154: a child's save checks no constraint; the root's does, under its own policy")
    func child() throws {
        let stack = try stack(.errorMergePolicyType) { _ = $0.make("Country", ["code": "it", "name": "Italy"]) }
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        child.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        try child.run { context in
            _ = context.make("Country", ["code": "it", "name": "Italia"])
            try context.save()
        }
        try stack.run { context in
            try #expect(thrownError { try context.save() }.code == NSManagedObjectConstraintMergeError)
            context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            try context.save()
        }
        try #expect(countries(stack) == ["it": "Italia -1"])
    }

    @Test("An import of thousands of known and new objects by object trump leaves one row for each")
    func bigImport() throws {
        let stack = try stack(.mergeByPropertyObjectTrumpMergePolicyType) { context in
            for index in 0..<2000 { _ = context.make("Country", ["code": "c\(index)", "people": index]) }
        }
        try stack.context.run { $0.reset() }
        try stack.run { context in
            for index in 1000..<3000 { _ = context.make("Country", ["code": "c\(index)", "name": "n\(index)"]) }
            try context.save()
        }
        try stack.fresh { context in
            let all = try context.all("Country", by: "code")
            #expect(all.count == 3000 && Set(all.compactMap { $0.text("code") }).count == 3000)
            #expect(
                all.filter { $0.text("name") != nil }.count == 2000 && all.filter { $0.number("people") != nil }.count == 2000)
        }
    }
}

import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

/// Authors write notes, which have tags; a magazine has authors.
private enum Notes {
    static func derived(
        _ name: String, _ type: NSAttributeDescription.AttributeType, _ expression: String, where filter: String? = nil
    ) -> NSDerivedAttributeDescription {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name
        attribute.type = type
        attribute.derivationExpression = NSExpression(format: expression)
        attribute.filterPredicate = filter.map { NSPredicate(format: $0) }
        return attribute
    }

    static func model(_ more: [NSDerivedAttributeDescription] = []) -> NSManagedObjectModel {
        var maker = ModelMaker()
        maker.entity("Magazine", [ModelMaker.attribute("name", .string)])
        maker.entity(
            "Author",
            [
                ModelMaker.attribute("name", .string), derived("noteCount", .integer64, "notes.@count"),
                derived("total", .integer64, "notes.length.@sum"), derived("weights", .double, "notes.weight.@sum"),
                derived("prices", .decimal, "notes.price.@sum"),
                derived("longCount", .integer32, "notes.@count", where: "length > 10"),
                derived("friendCount", .integer32, "friends.@count"), derived("magazineName", .string, "magazine.name"),
                derived("markCount", .integer32, "marks.@count"),
            ])
        maker.entity(
            "Note",
            [
                ModelMaker.attribute("name", .string), ModelMaker.attribute("length", .integer32),
                ModelMaker.attribute("weight", .double), ModelMaker.attribute("price", .decimal),
                derived("canonicalName", .string, "canonical:(name)"), derived("upper", .string, "uppercase:(name)"),
                derived("lower", .string, "lowercase:(name)"), derived("copy", .string, "name"),
                derived("size", .integer64, "length"), derived("authorName", .string, "author.name"),
                derived("authorUpper", .string, "uppercase:(author.name)"),
                derived("magazineName", .string, "author.magazine.name"),
                derived("siblings", .integer32, "author.notes.@count"), derived("shout", .string, "uppercase:(copy)"),
                derived("savedAt", .date, "now()"), derived("savedSeconds", .double, "now()"),
                derived("tagCount", .integer32, "tags.@count"),
                derived("tagSum", .integer64, "tags.value.@sum"),
            ] + more)
        maker.entity("LongNote", parent: "Note", [derived("chapterNames", .string, "canonical:(author.name)")])
        maker.entity("Tag", [ModelMaker.attribute("name", .string), ModelMaker.attribute("value", .integer16)])
        maker.relate("Note", "author", .one, "Author", "notes", .many)
        maker.relate("Note", "tags", .many, "Tag", "notes", .many)
        maker.relate("Author", "magazine", .one, "Magazine", "authors", .many)
        maker.relateToSelf("Author", "friends", .many)
        maker.point("Author", "marks", .many, "Tag")
        return maker.model()
    }

    /// What each derived attribute of an object must be, by its definition.
    static func expected(_ object: NSManagedObject) -> [String: AnyHashable?] {
        func decimals(_ objects: Set<NSManagedObject>, _ key: String) -> Decimal {
            objects.reduce(0) { $0 + (($1.value(forKey: key) as? NSDecimalNumber)?.decimalValue ?? 0) }
        }
        func sum(_ objects: Set<NSManagedObject>, _ key: String) -> Int { objects.reduce(0) { $0 + ($1.number(key) ?? 0) } }
        let name = object.text("name")
        switch object.entity.name {
        case "Author":
            let notes = object.many("notes")
            return [
                "noteCount": notes.count, "total": sum(notes, "length"),
                "weights": notes.reduce(0.0) { $0 + (($1.value(forKey: "weight") as? NSNumber)?.doubleValue ?? 0) },
                "prices": (decimals(notes, "price") as NSDecimalNumber).doubleValue,
                "longCount": notes.count { ($0.number("length") ?? 0) > 10 }, "friendCount": object.many("friends").count,
                "magazineName": object.one("magazine")?.text("name"), "markCount": object.many("marks").count,
            ]
        case "Note", "LongNote":
            let author = object.one("author")
            let tags = object.many("tags")
            var values: [String: AnyHashable?] = [
                "canonicalName": name?.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil),
                "upper": name?.uppercased(), "lower": name?.lowercased(), "copy": name, "size": object.number("length"),
                "authorName": author?.text("name"), "authorUpper": author?.text("name")?.uppercased(),
                "magazineName": author?.one("magazine")?.text("name"), "siblings": author?.many("notes").count ?? 0,
                "shout": name?.uppercased(), "tagCount": tags.count, "tagSum": sum(tags, "value"),
            ]
            if object.entity.name == "LongNote" {
                values["chapterNames"] = author?.text("name")?.folding(
                    options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            }
            return values
        default: return [:]
        }
    }

    static func found(_ object: NSManagedObject, _ key: String) -> AnyHashable? {
        switch object.value(forKey: key) {
        case let text as String: text
        case let number as NSDecimalNumber: number.doubleValue
        case let number as NSNumber where key == "weights": number.doubleValue
        case let number as NSNumber: number.intValue
        default: nil
        }
    }

    /// Compares everything that is stored with the definitions.
    static func check(_ stack: TestStack, _ what: String, at location: SourceLocation = #_sourceLocation) throws {
        try stack.fresh { context throws in
            for entity in ["Author", "Note"] {
                for object in try context.all(entity) {
                    for (key, value) in expected(object) {
                        #expect(
                            found(object, key) == value, "\(what): \(object.text("name") ?? "nil").\(key)",
                            sourceLocation: location)
                    }
                }
            }
        }
    }
}

@Suite("What derived attributes are computed from")
struct DerivedValueTests {
    @Test("R12, STO-170, STO-172, STO-173: each kind of derivation has its value after a save", arguments: StackKind.allCases)
    func kinds(_ kind: StackKind) throws {
        let stack = try TestStack(kind, Notes.model())
        try stack.run { context throws in
            let magazine = context.make("Magazine", ["name": "Ämter"])
            let author = context.make("Author", ["name": "Zoë", "magazine": magazine])
            let note = context.make(
                "Note", ["name": "Straße É", "length": 12, "weight": 1.5, "price": Decimal(string: "10.1"), "author": author])
            context.make("LongNote", ["name": "b", "length": 3, "weight": 2, "price": Decimal(string: "0.2"), "author": author])
            let tags = [1, 5].map { (value: Int) in context.make("Tag", ["name": "t\(value)", "value": value]) }
            note.set("tags", Set(tags))
            author.set("marks", Set([tags[0]]))
            author.set("friends", Set([context.make("Author", ["name": "Bob"])]))
            let before = Date()
            try context.save()
            // In memory the values are seen after a refresh.
            for object in [note, author] { context.refresh(object, mergeChanges: false) }
            #expect(note.text("canonicalName") == "strasse e" || note.text("canonicalName") == "straße e")
            #expect(note.text("upper") == "STRASSE É" && note.text("lower") == "straße é" && note.text("copy") == "Straße É")
            #expect(note.text("authorName") == "Zoë" && note.text("authorUpper") == "ZOË" && note.text("magazineName") == "Ämter")
            #expect(note.number("siblings") == 2 && note.number("tagCount") == 2 && note.number("tagSum") == 6)
            let savedAt = try #require(note.value(forKey: "savedAt") as? Date)
            #expect((note.value(forKey: "savedSeconds") as? NSNumber)?.doubleValue == savedAt.timeIntervalSinceReferenceDate)
            #expect(savedAt >= before.addingTimeInterval(-1) && savedAt <= Date().addingTimeInterval(1))
            #expect(author.number("noteCount") == 2 && author.number("total") == 15 && author.number("longCount") == 1)
            #expect((author.value(forKey: "prices") as? NSDecimalNumber)?.doubleValue == 10.3)
            #expect(author.number("friendCount") == 1 && author.number("markCount") == 1)
            #expect(!context.hasChanges)
        }
        try Notes.check(stack, "saved")
    }

    @Test(
        "R12, STO-175, STO-176: values follow what they stand on, and now() the row itself alone", arguments: StackKind.allCases)
    func following(_ kind: StackKind) throws {
        let stack = try TestStack(kind, Notes.model())
        try stack.run { context throws in
            let author = context.make("Author", ["name": "a"])
            let other = context.make("Author", ["name": "b"])
            let note = context.make("Note", ["name": "n", "length": 5, "author": author])
            let tag = context.make("Tag", ["name": "t", "value": 3])
            note.set("tags", Set([tag]))
            try context.save()
            context.refresh(note, mergeChanges: false)
            let savedAt = try #require(note.value(forKey: "savedAt") as? Date)
            Thread.sleep(forTimeInterval: 0.01)

            tag.set("value", 4)
            author.set("name", "A")
            try context.save()
            context.refresh(note, mergeChanges: false)
            #expect(note.number("tagSum") == 4 && note.text("authorName") == "A")
            #expect(note.value(forKey: "savedAt") as? Date == savedAt, "the note itself was not saved")

            note.set("author", other)
            note.set("length", 20)
            try context.save()
            for object in [note, author, other] { context.refresh(object, mergeChanges: false) }
            #expect(author.number("noteCount") == 0 && author.number("total") == 0 && author.number("longCount") == 0)
            #expect(other.number("noteCount") == 1 && other.number("total") == 20 && other.number("longCount") == 1)
            #expect(note.text("authorName") == "b" && note.number("size") == 20)
            #expect(try #require(note.value(forKey: "savedAt") as? Date) > savedAt)

            context.delete(tag)
            context.delete(other)
            try context.save()
            context.refresh(note, mergeChanges: false)
            #expect(note.number("tagCount") == 0 && note.number("tagSum") == 0 && note.text("authorName") == nil)
        }
        try Notes.check(stack, "changed")
    }

    @Test("R12, FET-180: batch requests keep derived attributes, and can't set them")
    func batches() throws {
        let stack = try TestStack(.sqlite, Notes.model())
        try stack.run { context throws in
            let author = context.make("Author", ["name": "a"])
            for length in 1...4 { context.make("Note", ["name": "n\(length)", "length": length, "author": author]) }
            try context.save()
            let update = NSBatchUpdateRequest(entityName: "Note")
            update.propertiesToUpdate = ["length": 30, "name": "Öl"]
            update.predicate = NSPredicate(format: "length < 3")
            try context.execute(update)
            try context.execute(NSBatchInsertRequest(entityName: "Note", objects: [["name": "é", "length": 1]]))
            let delete = NSFetchRequest<NSManagedObject>(entityName: "Note")
            delete.predicate = NSPredicate(format: "length == 4")
            try context.execute(NSBatchDeleteRequest(fetchRequest: delete))
            let forbidden = NSBatchUpdateRequest(entityName: "Note")
            forbidden.propertiesToUpdate = ["upper": "x"]
            #expect(throws: NSError.self) { try context.execute(forbidden) }
        }
        try Notes.check(stack, "batches")
        try stack.fresh { context throws in
            let author = try context.named("a", "Author")
            #expect(author.number("total") == 63 && author.number("noteCount") == 3 && author.number("longCount") == 2)
            #expect(try context.all("Note", by: "canonicalName").map { $0.text("canonicalName") } == ["e", "n3", "ol", "ol"])
        }
    }

    @Test(
        "R12, STO-174, STO-178: the store finds and sorts by them; what was set by hand is overwritten",
        arguments: StackKind.allCases)
    func queries(_ kind: StackKind) throws {
        let stack = try TestStack(kind, Notes.model())
        try stack.run { context throws in
            for (index, name) in ["Émile", "anna", "Bert"].enumerated() {
                let note = context.make("Note", ["name": name, "length": index])
                note.set("upper", "by hand")
            }
            try context.save()
        }
        try stack.fresh { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.predicate = NSPredicate(format: "canonicalName == 'emile' OR upper == 'ANNA'")
            request.sortDescriptors = [NSSortDescriptor(key: "canonicalName", ascending: true)]
            #expect(try context.fetch(request).map { $0.text("name") } == ["anna", "Émile"])
        }
        try Notes.check(stack, "by hand")
    }

    @Test("R12: a file keeps its values and gets new ones from another process's point of view; it has no triggers of ours")
    func reopening() throws {
        let stack = try TestStack(.sqlite, Notes.model())
        try stack.run { context throws in
            context.make("Note", ["name": "n", "author": context.make("Author", ["name": "a"])])
            try context.save()
        }
        let again = try stack.reopened()
        try again.run { context throws in
            #expect(try context.named("n", "Note").text("authorUpper") == "A")
            try context.named("a", "Author").set("name", "b")
            try context.save()
        }
        try Notes.check(again, "reopened")
        let triggers = try Database(again.folder.file("store.sqlite")).text(
            "SELECT group_concat(name) FROM sqlite_master WHERE (type = 'trigger' AND name NOT LIKE 'Z_DA_%noteCount%') OR name LIKE 'coredata%'"
        )
        #expect(triggers == nil)
    }

    @Test("R12: a save that fails leaves the values as they were", arguments: StackKind.allCases)
    func failedSave(_ kind: StackKind) throws {
        let stack = try TestStack(kind, Notes.model())
        let id = try stack.run { context throws in
            let author = context.make("Author", ["name": "a"])
            context.make("Note", ["name": "n", "author": author])
            try context.save()
            return author.objectID
        }
        let other = stack.newContext()
        try other.run { context throws in
            context.mergePolicy = NSMergePolicy.error
            let author = context.object(with: id)
            _ = author.text("name")
            try stack.run { context throws in
                context.object(with: id).set("name", "b")
                try context.save()
            }
            author.set("name", "c")
            context.make("Note", ["name": "m", "author": author])
            #expect(throws: (any Error).self) { try context.save() }
            context.rollback()
        }
        try Notes.check(stack, "failed")
        #expect(try stack.savedNames("Note") == ["n"])
    }

    @Test("R12: after random programs every derived value is what its definition says", arguments: StackKind.allCases)
    func randomPrograms(_ kind: StackKind) throws {
        let seed = Fuzz.seed("Derived values, \(kind)")
        var random = SeededGenerator(seed: seed)
        let stack = try TestStack(kind, Notes.model())
        for round in 0..<12 {
            try stack.run { context throws in
                for _ in 0..<6 {
                    let authors = try context.all("Author")
                    let notes = try context.all("Note")
                    let tags = try context.all("Tag")
                    let magazines = try context.all("Magazine")
                    let name = ["Äpfel", "b", "Straße", "İ", "", "Ÿ"].randomElement(using: &random)
                    switch Int.random(in: 0..<12, using: &random) {
                    case 0: context.make("Author", ["name": name, "magazine": magazines.randomElement(using: &random)])
                    case 1, 2:
                        context.make(
                            Bool.random(using: &random) ? "Note" : "LongNote",
                            [
                                "name": name, "length": Int.random(in: 0..<20, using: &random), "weight": 0.5,
                                "price": Decimal(Int.random(in: 0..<9, using: &random)) / 4,
                                "author": authors.randomElement(using: &random),
                            ])
                    case 3: context.make("Tag", ["name": name, "value": Int.random(in: 0..<9, using: &random)])
                    case 4: context.make("Magazine", ["name": name])
                    case 5: notes.randomElement(using: &random)?.set("author", authors.randomElement(using: &random))
                    case 6: notes.randomElement(using: &random)?.set("length", Int.random(in: 0..<20, using: &random))
                    case 7:
                        notes.randomElement(using: &random)?.set("tags", Set(tags.filter { _ in Bool.random(using: &random) }))
                    case 8:
                        authors.randomElement(using: &random)?.set(
                            "friends", Set(authors.filter { _ in Bool.random(using: &random) }))
                    case 9:
                        authors.randomElement(using: &random)?.set("marks", Set(tags.filter { _ in Bool.random(using: &random) }))
                    case 10: (authors + notes + tags + magazines).randomElement(using: &random)?.set("name", name)
                    default:
                        guard let doomed = (authors + notes + tags + magazines).randomElement(using: &random) else { continue }
                        // No inverse takes it out, and a save refuses what leads to a deleted object.
                        for author in authors where author.many("marks").contains(doomed) {
                            author.set("marks", author.many("marks").subtracting([doomed]))
                        }
                        context.delete(doomed)
                    }
                }
                try context.save()
                context.refreshAllObjects()
            }
            try Notes.check(stack, "seed \(seed), round \(round)")
        }
    }

    @Test(
        "R12, STO-171: what makes no sense is refused when the model comes into use, with the place and the reason",
        arguments: [
            ("nothing.@count", "names “nothing”, but Note has no such property"),
            ("tags.@sum.value", "uses the operator @sum as an intermediate component"),
            ("tags.@count.value", "uses the operator @count as an intermediate component"),
            ("tags.@sum", "must end with an attribute"), ("tags.name.@sum", "adds up values of type String"),
            ("name.@count", "needs a to-many relationship in front of its operator"),
            ("length.@sum", "needs a to-many relationship in front of its operator"),
            ("tags.value.@max", "only @count and @sum can be derived"), ("tags.@nonsense", "uses “@nonsense”"),
            ("tags.value", "without @count or @sum"), ("author", "must end with an attribute"),
            ("author.nothing", "names “nothing”, but Author has no such property"),
            ("author.notes.tags.@count", "after a to-many"),
            ("uppercase:(length)", "it needs a String"), ("now()", "gives a date, but the attribute is of type"),
            ("length + 1", "is not one that a store can derive"), ("3", "is not one that a store can derive"),
            ("SELF", "is not one that a store can derive"), ("wrong", "derives the attribute from itself"),
            ("name) FROM x; DROP TABLE ZNOTE --", "can't be read"), ("", "can't be read"),
        ])
    func nonsense(expression: String, reason: String) throws {
        for kind in StackKind.allCases {
            // One for each model: somebody may still hold the model before.
            let wrong = NSDerivedAttributeDescription()
            wrong.name = "wrong"
            wrong.type = .integer64
            wrong.derivationExpressionString = expression
            let error = #expect(throws: NSError.self, "\(kind)") { try TestStack(kind, Notes.model([wrong])) }
            #expect(error?.code == NSCoreDataError)
            let text = error?.localizedDescription ?? ""
            #expect(text.contains("Note.wrong") && text.contains("“\(expression)”") && text.contains(reason), "\(text)")
        }
    }

    @Test("R12: expressions, filters and conditions of indexes are public, print, and are kept by copies")
    func descriptions() throws {
        for text in [
            "notes.@count", "notes.length.@sum", "now()", "canonical:(name)", "uppercase:(author.name)", "lowercase:(name)",
            "name",
        ] {
            let attribute = NSDerivedAttributeDescription()
            attribute.derivationExpressionString = text
            let expression = try #require(attribute.derivationExpression)
            let other = NSDerivedAttributeDescription()
            other.derivationExpression = expression
            #expect(other.derivationExpression == expression, "\(text), \(expression)")
            #expect(NSExpression(format: expression.description) == expression)
        }
        let attribute = NSDerivedAttributeDescription()
        #expect(attribute.derivationExpression == nil && attribute.filterPredicate == nil)
        attribute.derivationExpressionString = "a b c ("
        #expect(attribute.derivationExpression == nil)
        attribute.derivationExpression = NSExpression(forKeyPath: "notes.@count")
        attribute.filterPredicate = NSPredicate(format: "length > 3")
        let copy = try #require(attribute.copy() as? NSDerivedAttributeDescription)
        #expect(copy.derivationExpression == attribute.derivationExpression && copy.filterPredicate == attribute.filterPredicate)

        let index = NSFetchIndexDescription(name: "i", elements: [])
        #expect(index.partialIndexPredicate == nil)
        index.partialIndexPredicate = NSPredicate(format: "length > 3")
        let indexCopy = try #require(index.copy() as? NSFetchIndexDescription)
        #expect(indexCopy.partialIndexPredicate == NSPredicate(format: "length > 3"))
        index.partialIndexPredicate = nil
        #expect(index.partialIndexPredicate == nil)
    }

    @Test("R12: a filter reads the members' own attributes only")
    func filters() throws {
        for (filter, reason) in [
            ("nothing > 1", "names “nothing”"), ("author.name == 'a'", "ends with a relationship"),
            ("upper == 'A'", "reads the derived"),
        ] {
            let model = Notes.model()
            let author = try #require(model.entitiesByName["Author"])
            let attribute = try #require(author.attributesByName["longCount"] as? NSDerivedAttributeDescription)
            attribute.filterPredicate = NSPredicate(format: filter)
            let error = #expect(throws: NSError.self) { try TestStack(.sqlite, model) }
            #expect(error?.localizedDescription.contains("Author.longCount") == true, "\(filter)")
            #expect(
                error?.localizedDescription.contains(reason) == true || filter.hasPrefix("author"),
                "\(filter): \(error?.localizedDescription ?? "")")
        }
    }
}

import OpenCoreData
import TestSupport
import Testing

/// Text columns may have any bytes: SQLite does not look at what other programs put there.
@Suite("Texts of other programs that are not UTF-8, or no URL")
struct ForeignTextTests {
    private static let read = "a\u{fffd}b"

    private func coordinator(_ url: URL) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HolderModel.make())
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        return coordinator
    }

    private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        return context
    }

    private func holder(_ context: NSManagedObjectContext) throws -> Holder {
        try #require(try context.fetch(NSFetchRequest<Holder>(entityName: "Holder")).first)
    }

    /// Edits of another attribute, each by a way of its own.
    private var edits: [(name: String, edit: (NSManagedObjectContext, Holder, Int64) throws -> Void)] {
        [
            ("plain", { $1.int64 = $2 }),
            (
                "read",
                {
                    #expect($1.text == Self.read)
                    $1.int64 = $2
                }
            ),
            (
                "undone",
                { context, holder, number in
                    context.undoManager = UndoManager()
                    holder.text = "other"
                    context.processPendingChanges()
                    context.undo()
                    #expect(holder.text == Self.read)
                    holder.int64 = number
                }
            ),
            (
                "refreshed",
                { context, holder, number in
                    holder.int64 = number
                    context.refresh(holder, mergeChanges: true)
                }
            ),
            (
                "rolled back",
                { context, holder, number in
                    holder.text = "other"
                    context.rollback()
                    holder.int64 = number
                }
            ),
            (
                "child",
                { context, holder, number in
                    let child = NSManagedObjectContext(.privateQueue)
                    child.parent = context
                    let id = holder.objectID
                    try child.run { child in
                        let copy = try #require(try child.existingObject(with: id) as? Holder)
                        #expect(copy.text == Self.read)
                        copy.int64 = number
                        try child.save()
                    }
                }
            ),
            (
                "conflict",
                { context, holder, number in
                    _ = holder.text
                    holder.int64 = number
                    let coordinator = try #require(context.persistentStoreCoordinator)
                    try self.context(coordinator).run { other in
                        try self.holder(other).int32 = Int32(number)
                        try other.save()
                    }
                }
            ),
            (
                "batch",
                { context, holder, number in
                    let request = NSBatchUpdateRequest(entityName: "Holder")
                    request.propertiesToUpdate = ["int64": number]
                    _ = try context.execute(request)
                    context.refresh(holder, mergeChanges: false)
                }
            ),
            (
                "inserted beside",
                { context, holder, number in
                    holder.int64 = number
                    NSEntityDescription.insertNewObject(forEntityName: "Handmade", into: context).setValue(1, forKey: "number")
                }
            ),
        ]
    }

    @Test("R07: they read with U+FFFD by each way out, and no save changes their bytes unless the program sets another text")
    func bytes() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Texts.sqlite")
        let first = context(try coordinator(url))
        try first.run { context in
            NSEntityDescription.insertNewObject(forEntityName: "Holder", into: context).setValue(1, forKey: "number")
            try context.save()
        }
        let database = try Database(url)
        for (index, (name, edit)) in edits.enumerated() {
            let number = Int64(index + 1)
            try database.execute("UPDATE ZHOLDER SET ZTEXT = CAST(x'61ff62' AS TEXT), ZLINK = 'a b'")
            try context(try coordinator(url)).run { context in
                let holder = try self.holder(context)
                try edit(context, holder, number)
                try context.save()
                #expect(holder.text == Self.read && holder.value(forKey: "text") as? String == Self.read, "\(name)")
            }
            #expect(
                try database.rows("SELECT hex(ZTEXT), typeof(ZTEXT), ZLINK, ZINT64 FROM ZHOLDER") == [
                    ["61FF62", "text", "a b", "\(number)"]
                ],
                "\(name)")
        }
        try context(try coordinator(url)).run { context in
            let request = NSFetchRequest<NSDictionary>(entityName: "Holder")
            (request.resultType, request.propertiesToFetch) = (.dictionaryResultType, ["text"])
            #expect(try context.fetch(request).first?["text"] as? String == Self.read)
            try self.holder(context).text = "new"
            try context.save()
        }
        #expect(try database.rows("SELECT ZTEXT FROM ZHOLDER") == [["new"]])
    }

    @Test(
        "R07: a text that makes no URL is read as text by key, and is no value of a property; no save changes it",
        arguments: ["", "http://[", "1:2"])
    func links(_ text: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Links.sqlite")
        try context(try coordinator(url)).run { context in
            for name in ["Holder", "Handmade"] {
                NSEntityDescription.insertNewObject(forEntityName: name, into: context).setValue(1, forKey: "number")
            }
            try context.save()
        }
        let database = try Database(url)
        for table in ["ZHOLDER", "ZHANDMADE"] { try database.execute("UPDATE \(table) SET ZLINK = '\(text)'") }
        for (index, (name, edit)) in edits.enumerated() where !["read", "undone", "child"].contains(name) {
            let number = Int64(index + 1)
            try context(try coordinator(url)).run { context in
                let holder = try self.holder(context)
                #expect(holder.link == nil && holder.value(forKey: "link") as? String == text, "\(name)")
                let error = #expect(throws: PropertyValueError.self) { try holder.value(of: \.link) }
                #expect(error?.reason == .unknownValue(text), "\(name)")
                #expect(holder.committedValues(forKeys: ["link"])["link"] as? String == text, "\(name)")
                try edit(context, holder, number)
                try context.save()
                #expect(holder.value(forKey: "link") as? String == text, "\(name)")
                let handmade = try #require(try context.fetch(NSFetchRequest<Handmade>(entityName: "Handmade")).first)
                #expect(handmade.link == nil && handmade.value(forKey: "link") as? String == text, "\(name)")
            }
            #expect(try database.rows("SELECT ZLINK, ZINT64 FROM ZHOLDER") == [[text, "\(number)"]], "\(name)")
        }
        try context(try coordinator(url)).run { context in
            let request = NSFetchRequest<NSDictionary>(entityName: "Holder")
            (request.resultType, request.propertiesToFetch) = (.dictionaryResultType, ["link"])
            #expect(try context.fetch(request).first?["link"] as? String == text)
            for (format, count) in [("link == nil", 0), ("link != nil", 1)] {
                let fetch = NSFetchRequest<Holder>(entityName: "Holder")
                fetch.predicate = NSPredicate(format: format)
                #expect(try context.count(for: fetch) == count, "\(format)")
                #expect(fetch.predicate?.evaluate(with: try self.holder(context)) == (count == 1), "\(format) in memory")
            }
            try self.holder(context).link = URL(string: "x:y")
            try context.save()
        }
        #expect(try database.rows("SELECT ZLINK FROM ZHOLDER") == [["x:y"]])
    }
}

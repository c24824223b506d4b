import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

@Suite("The history of a store is read")
struct HistoryReadingTests {
    @Test("FET-230, FET-251: a store without history throws 134091 that says how to get one, and has no token")
    func none() throws {
        let fixture = try HistoryFixture(tracks: false)
        try fixture.save("A")
        let error = #expect(throws: NSError.self) { try fixture.transactions() }
        #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
        #expect(error?.localizedDescription.contains("NSPersistentHistoryTrackingKey") == true)
        #expect(fixture.coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
    }

    @Test(
        "FET-232, FET-233: each save is one transaction with its author, context, process, time and store; one without changes is none"
    )
    func transactions() throws {
        let fixture = try HistoryFixture()
        let start = Date()
        try fixture.run { context in
            context.name = "importer"
            context.transactionAuthor = "Ann"
            context.make("Person", ["name": "A"])
            try context.save()
            try context.save()
            (context.name, context.transactionAuthor) = (nil, nil)
            context.make("Person", ["name": "B"])
            try context.save()
        }
        let all = try fixture.transactions()
        #expect(all.map(\.author) == ["Ann", nil])
        #expect(all.map(\.contextName) == ["importer", nil])
        #expect(all.map(\.transactionNumber) == [1, 2])
        #expect(all.allSatisfy { $0.storeID == fixture.store.identifier })
        #expect(all.allSatisfy { $0.processID == ProcessInfo.processInfo.processName && $0.bundleID.isEmpty })
        #expect(all.allSatisfy { $0.timestamp >= start.addingTimeInterval(-1) && $0.timestamp <= Date().addingTimeInterval(1) })
    }

    @Test(
        "FET-234, FET-235, FET-236: nil and the distant past read everything, a token what comes after it, the current one nothing"
    )
    func after() throws {
        let fixture = try HistoryFixture()
        let first = try #require(fixture.coordinator.currentPersistentHistoryToken(fromStores: nil))
        #expect(try fixture.transactions().isEmpty)
        for name in ["A", "B", "C"] { try fixture.save(name, author: name) }
        let all = try fixture.transactions()
        #expect(all.map(\.author) == ["A", "B", "C"])
        #expect(try fixture.transactions(.fetchHistory(after: Date.distantPast)).map(\.author) == ["A", "B", "C"])
        #expect(try fixture.transactions(.fetchHistory(after: first)).map(\.author) == ["A", "B", "C"])
        #expect(try fixture.transactions(.fetchHistory(after: all[0].token)).map(\.author) == ["B", "C"])
        #expect(try fixture.transactions(.fetchHistory(after: all[1])).map(\.author) == ["C"])
        #expect(try fixture.transactions(.fetchHistory(after: nil as NSPersistentHistoryTransaction?)).count == 3)
        #expect(try fixture.transactions(.fetchHistory(after: all[1].timestamp)).map(\.author) == ["C"])
        let current = try #require(fixture.coordinator.currentPersistentHistoryToken(fromStores: [fixture.store]))
        #expect(current == all[2].token)
        #expect(try fixture.transactions(.fetchHistory(after: current)).isEmpty)
        let other = try HistoryFixture(fixture.folder)
        #expect(other.coordinator.currentPersistentHistoryToken(fromStores: nil) == current)
        #expect(first < current && !(current < first))
    }

    @Test("FET-238, FET-240, FET-241: changes have their type, an update its properties, a deletion what the model preserves")
    func changes() throws {
        let fixture = try HistoryFixture()
        let born = Date(timeIntervalSinceReferenceDate: 1234.5)
        let ids = try fixture.run { context in
            let team = context.make("Team", ["name": "T"])
            let person = context.make("Friend", ["name": "A", "number": "12-34", "born": born])
            person.setValue(3, forKey: "age")
            try context.save()
            person.setValue(4, forKey: "age")
            person.setValue(team, forKey: "team")
            try context.save()
            let ids = [team.objectID, person.objectID]
            context.delete(person)
            try context.save()
            return ids
        }
        let all = try fixture.transactions()
        #expect(
            all.map { $0.changes?.map(\.changeType) }
                == [[.insert, .insert], [.update, .update], [.delete, .update]].map { $0 }
                || all.map { $0.changes?.count } == [2, 2, 2])
        let changes = all.flatMap { $0.changes ?? [] }
        func change(_ type: NSPersistentHistoryChangeType, _ id: NSManagedObjectID) throws -> NSPersistentHistoryChange {
            try #require(changes.first { $0.changeType == type && $0.changedObjectID == id })
        }
        let update = try change(.update, ids[1])
        #expect(update.updatedProperties.map { Set($0.map(\.name)) } == ["age", "team"])
        #expect(update.tombstone == nil && update.transaction?.transactionNumber == 2)
        let insert = try change(.insert, ids[1])
        #expect(insert.updatedProperties == nil && insert.tombstone == nil)
        #expect(insert.changedObjectID.entity.name == "Friend")
        let deletion = try change(.delete, ids[1])
        #expect(deletion.updatedProperties == nil)
        let tombstone = try #require(deletion.tombstone)
        #expect(tombstone["number"] as? String == "12-34" && tombstone["born"] as? Date == born)
        #expect(tombstone.count == 2)
        #expect(changes.map(\.changeID) == Array(1...Int64(changes.count)))
    }

    @Test("FET-239: each result type gives what its name says")
    func resultTypes() throws {
        let fixture = try HistoryFixture()
        for name in ["A", "B"] { try fixture.save(name) }
        func result(_ type: NSPersistentHistoryResultType) throws -> Any? {
            try fixture.result(.fetchHistory(after: nil as NSPersistentHistoryToken?), type)
        }
        #expect(try result(.statusOnly) as? Bool == true)
        #expect(try result(.count) as? Int == 2)
        #expect((try result(.objectIDs) as? [NSManagedObjectID])?.map { $0.entity.name } == ["Person", "Person"])
        let bare = try #require(try result(.transactionsOnly) as? [NSPersistentHistoryTransaction])
        #expect(bare.count == 2 && bare.allSatisfy { $0.changes == nil })
        let whole = try #require(try result(.transactionsAndChanges) as? [NSPersistentHistoryTransaction])
        #expect(whole.map { $0.changes?.count } == [1, 1])
        #expect((try result(.changesOnly) as? [NSPersistentHistoryChange])?.map(\.changeType) == [.insert, .insert])
    }

    @Test("FET-242 … FET-245: fetch requests choose transactions and changes by their attributes, in their order and number")
    func fetchRequests() throws {
        let fixture = try HistoryFixture()
        for name in ["A", "B", "C"] { try fixture.save(name, author: name) }
        try fixture.run { context in
            context.make("Team", ["name": "T"])
            context.transactionAuthor = "T"
            try context.save()
        }
        func transactions(_ format: String, _ arguments: Any...) throws -> [String?] {
            let request = try #require(NSPersistentHistoryTransaction.fetchRequest)
            request.predicate = try NSPredicate(validating: format, argumentArray: arguments)
            return try fixture.transactions(.fetchHistory(withFetch: request)).map(\.author)
        }
        #expect(try transactions("author == %@", "B") == ["B"])
        #expect(try transactions("author IN %@ AND transactionNumber > 1", ["A", "B", "C"]) == ["B", "C"])
        let second = try fixture.transactions()[1].token
        #expect(try transactions("token > %@", second) == ["C", "T"])
        #expect(try transactions("token <= %@", second) == ["A", "B"])
        #expect(try transactions("token == %@", second) == ["B"])
        func changes(_ format: String, _ arguments: Any...) throws -> [NSPersistentHistoryChange] {
            let request = try #require(NSPersistentHistoryChange.fetchRequest)
            request.predicate = try NSPredicate(validating: format, argumentArray: arguments)
            return try fixture.result(.fetchHistory(withFetch: request), .changesOnly) as? [NSPersistentHistoryChange] ?? []
        }
        let team = try #require(HistoryFixture.model.entitiesByName["Team"])
        #expect(try changes("changedEntity == %@", team).map { $0.transaction?.author } == ["T"])
        #expect(try changes("changeType == 2").isEmpty)
        let id = try #require(try changes("transaction.author == 'C'").first?.changedObjectID)
        #expect(try changes("changedObjectID == %@", id).count == 1)
        let foreign = try HistoryFixture()
        try foreign.save("X")
        let foreignID = try #require(try foreign.transactions()[0].changes?.first?.changedObjectID)
        #expect(try changes("changedObjectID == %@", foreignID).isEmpty)
        let ordered = try #require(NSPersistentHistoryTransaction.fetchRequest)
        ordered.sortDescriptors = [NSSortDescriptor(key: "transactionNumber", ascending: false)]
        ordered.fetchOffset = 1
        ordered.fetchLimit = 2
        #expect(try fixture.transactions(.fetchHistory(withFetch: ordered)).map(\.author) == ["C", "B"])
    }

    @Test("A fetch request for something else, or by a key that history does not have, is an error that says so")
    func wrongRequests() throws {
        let fixture = try HistoryFixture()
        let other = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
        let error = #expect(throws: NSError.self) { try fixture.transactions(.fetchHistory(withFetch: other)) }
        #expect(error?.localizedDescription.contains("Person") == true)
        for key in ["writer", "token.x.y", "'; DROP TABLE ACHANGE"] {
            let request = try #require(NSPersistentHistoryTransaction.fetchRequest)
            request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
            if key == "token.x.y" { continue }
            #expect(throws: NSError.self) { try fixture.transactions(.fetchHistory(withFetch: request)) }
        }
        let request = try #require(NSPersistentHistoryChange.fetchRequest)
        request.predicate = NSPredicate(format: "transaction.writer == 'x'")
        let wrongKey = #expect(throws: NSError.self) { try fixture.transactions(.fetchHistory(withFetch: request)) }
        #expect(wrongKey?.localizedDescription.contains("writer") == true)
    }

    @Test("NTF-153, NTF-155: the notification of a transaction is merged like that of the save, also from another coordinator")
    func merging() throws {
        let fixture = try HistoryFixture()
        let other = try HistoryFixture(fixture.folder)
        try fixture.save("A")
        let ids = try other.run { context in
            let person = try #require(try context.all("Person").first)
            #expect(person.text("name") == "A")
            return person.objectID
        }
        let token = other.coordinator.currentPersistentHistoryToken(fromStores: nil)
        try fixture.run { context in
            for person in try context.all("Person") { person.setValue("B", forKey: "name") }
            try context.save()
            context.make("Person", ["name": "C"])
            try context.save()
        }
        try other.run { context in
            let person = try context.existingObject(with: ids)
            nonisolated(unsafe) var rounds = 0
            let observer = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
            ) { _ in rounds += 1 }
            defer { NotificationCenter.default.removeObserver(observer) }
            let result = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
            let transactions = try #require((result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction])
            #expect(transactions.count == 2)
            for transaction in transactions { context.mergeChanges(fromContextDidSave: transaction.objectIDNotification()) }
            #expect(person.value(forKey: "name") as? String == "B")
            #expect(rounds == 2)
        }
    }

    @Test("Changes of batch requests are in the history, too")
    func batches() throws {
        let fixture = try HistoryFixture()
        for name in ["A", "B"] { try fixture.save(name) }
        try fixture.run { context in
            let update = NSBatchUpdateRequest(entityName: "Person")
            update.propertiesToUpdate = ["age": 7]
            try context.execute(update)
            try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Person")))
        }
        let last = try fixture.transactions().suffix(2)
        #expect(last.map { $0.changes?.map(\.changeType) } == [[.update, .update], [.delete, .delete]])
        #expect(last.first?.changes?.first?.updatedProperties.map { Set($0.map(\.name)) } == ["age"])
    }

    @Test("NTF-173: a remote change brings the token of what was written")
    func remoteChange() async throws {
        let folder = try TemporaryFolder()
        let writer = try HistoryFixture(folder)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HistoryFixture.model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("store.sqlite"),
            options: [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true, NSPersistentHistoryTrackingKey: true])
        let (tokens, continuation) = AsyncStream.makeStream(of: NSPersistentHistoryToken?.self)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { continuation.yield($0.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken) }
        defer { NotificationCenter.default.removeObserver(observer) }
        try writer.save("A")
        var iterator = tokens.makeAsyncIterator()
        let token = try #require(await iterator.next() ?? nil)
        #expect(token == writer.coordinator.currentPersistentHistoryToken(fromStores: nil))
    }
}

import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

@Suite("Tokens and the end of a history")
struct HistoryTokenTests {
    private func expired(_ body: () throws -> Any) -> NSError? {
        let error = #expect(throws: NSError.self) { try body() }
        #expect(error?.code == NSPersistentHistoryTokenExpiredError)
        return error
    }

    @Test("FET-246, FET-247: what comes before a token, a transaction or a date is deleted, and nothing else")
    func deletion() throws {
        let fixture = try HistoryFixture()
        for name in ["A", "B", "C", "D"] { try fixture.save(name, author: name) }
        let all = try fixture.transactions()
        func delete(_ request: NSPersistentHistoryChangeRequest) throws -> [String?] {
            #expect(try fixture.result(request) as? Bool == true)
            return try fixture.authors
        }
        #expect(try delete(.deleteHistory(before: nil as NSPersistentHistoryToken?)).count == 4)
        #expect(try delete(.deleteHistory(before: all[0])) == ["A", "B", "C", "D"])
        #expect(try delete(.deleteHistory(before: all[1].token)) == ["B", "C", "D"])
        #expect(try delete(.deleteHistory(before: all[2].timestamp)) == ["C", "D"])
        #expect(try Database(fixture.folder.file("store.sqlite")).text("SELECT count(*) FROM ACHANGE") == "2")
        let last = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
        #expect(try fixture.result(last, .count) as? Int == 2)
        #expect(try fixture.authors.isEmpty)
        // Numbers go on.
        try fixture.save("E", author: "E")
        #expect(try fixture.transactions().map(\.transactionNumber) == [5])
    }

    @Test("FET-248: a token before what was deleted is expired; the current one is not, also if nothing is left")
    func expiry() throws {
        let fixture = try HistoryFixture()
        let start = fixture.coordinator.currentPersistentHistoryToken(fromStores: nil)
        for name in ["A", "B", "C"] { try fixture.save(name, author: name) }
        let all = try fixture.transactions()
        _ = try fixture.result(.deleteHistory(before: all[2]))
        #expect(try fixture.transactions(.fetchHistory(after: all[1])).map(\.author) == ["C"])
        for token in [start, all[0].token] {
            let error = expired { try fixture.transactions(.fetchHistory(after: token)) }
            #expect(error?.localizedDescription.contains("were deleted") == true)
        }
        _ = try fixture.result(.deleteHistory(before: Date.distantFuture))
        #expect(try fixture.transactions(.fetchHistory(after: all[2])).isEmpty)
        _ = expired { try fixture.transactions(.fetchHistory(after: all[1])) }
    }

    @Test("Tokens of other stores, and tokens that the store can't have given, are told: 134301")
    func foreign() throws {
        let fixture = try HistoryFixture()
        try fixture.save("A")
        let other = try HistoryFixture()
        for name in ["A", "B", "C"] { try other.save(name) }
        let token = try #require(other.coordinator.currentPersistentHistoryToken(fromStores: nil))
        let error = expired { try fixture.transactions(.fetchHistory(after: token)) }
        #expect(error?.localizedDescription.contains("another store") == true)
        for number in [2, Int64.max] {
            let list = try PropertyListSerialization.data(
                fromPropertyList: [fixture.store.identifier ?? "": number], format: .binary, options: 0)
            let archiver = NSKeyedArchiver(requiringSecureCoding: true)
            archiver.encode(list as NSData, forKey: "transactions")
            archiver.finishEncoding()
            let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
            let forged = try #require(NSPersistentHistoryToken(coder: unarchiver))
            _ = expired { try fixture.transactions(.fetchHistory(after: forged)) }
        }
    }

    @Test("A token is archived and read again; damaged archives give none")
    func archives() throws {
        let fixture = try HistoryFixture()
        try fixture.save("A")
        let token = try #require(fixture.coordinator.currentPersistentHistoryToken(fromStores: nil))
        let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data) == token)
        for list in [Data(), Data([1, 2, 3]), Data("{ a = b; }".utf8)] {
            let archiver = NSKeyedArchiver(requiringSecureCoding: true)
            archiver.encode(list as NSData, forKey: "transactions")
            archiver.finishEncoding()
            #expect(NSPersistentHistoryToken(coder: try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)) == nil)
        }
    }

    @Test("A clock that went backwards: deletion by date leaves no gap")
    func clock() throws {
        let fixture = try HistoryFixture()
        for name in ["A", "B", "C"] { try fixture.save(name, author: name) }
        let database = try Database(fixture.folder.file("store.sqlite"))
        try database.execute("UPDATE ATRANSACTION SET ZTIMESTAMP = 3000 - Z_PK * 1000")
        _ = try fixture.result(.deleteHistory(before: Date(timeIntervalSinceReferenceDate: 1500)))
        #expect(try fixture.authors == ["A", "B", "C"])
        _ = try fixture.result(.deleteHistory(before: Date(timeIntervalSinceReferenceDate: 2500)))
        #expect(try fixture.authors == [])
    }

    @Test("Rows of entities that are gone are left out; damaged rows are errors that name the row")
    func damage() throws {
        let fixture = try HistoryFixture()
        try fixture.save("A")
        try fixture.save("B")
        let database = try Database(fixture.folder.file("store.sqlite"))
        try database.execute("UPDATE ACHANGE SET ZENTITY = 99 WHERE Z_PK = 1")
        #expect(try fixture.transactions().map { $0.changes?.count } == [0, 1])
        for (damage, repair) in [
            ("ZCHANGETYPE = 7", "ZCHANGETYPE = 0"), ("ZENTITYPK = -1", "ZENTITYPK = 2"),
            ("ZENTITYPK = 'x'", "ZENTITYPK = 2"),
        ] {
            try database.execute("UPDATE ACHANGE SET \(damage) WHERE Z_PK = 2")
            let error = #expect(throws: NSError.self) { try fixture.transactions() }
            #expect(error?.localizedDescription.contains("change 2 in its history") == true)
            try database.execute("UPDATE ACHANGE SET \(repair) WHERE Z_PK = 2")
        }
        try database.execute("UPDATE ATRANSACTION SET ZTIMESTAMP = 9e999 WHERE Z_PK = 2")
        let error = #expect(throws: NSError.self) { try fixture.transactions() }
        #expect(error?.localizedDescription.contains("transaction 2") == true)
    }

    @Test(
        "Histories that Apple's framework wrote are read whole", .enabled(if: Fixtures.isAvailable),
        arguments: ["cdp-samplemodel2-v2", "plaso-knowledgec-10.13"])
    func fixtures(name: String) throws {
        let fixture = try #require(StoreFixture.all.first { $0.name == name })
        let folder = try TemporaryFolder()
        let url = try folder.copyStore(fixture.store)
        let model = try NSManagedObjectModel(cachedInStoreAt: url)
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: [NSReadOnlyPersistentStoreOption: true])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        let transactions = try context.run { context in
            let result = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast))
            return (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction] ?? []
        }
        let database = try Database(url)
        #expect("\(transactions.count)" == (try database.text("SELECT count(*) FROM ATRANSACTION")))
        #expect(
            "\(transactions.reduce(0) { $0 + ($1.changes?.count ?? 0) })" == (try database.text("SELECT count(*) FROM ACHANGE")))
        #expect(transactions.allSatisfy { !$0.processID.isEmpty })
        let updates = transactions.flatMap { $0.changes ?? [] }.filter { $0.changeType == .update }
        #expect(updates.allSatisfy { $0.updatedProperties?.isEmpty == false })
    }
}

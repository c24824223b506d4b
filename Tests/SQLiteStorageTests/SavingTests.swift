import DataModel
import Foundation
import Storage
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite("Saving rows")
struct SavingTests {
    @Test("Values of every type come back as they were set, also after reopening")
    func valuesRoundTrip() throws {
        var store = try EngineStore()
        let note = try store.entity("Note")
        let uuid = UUID()
        let large = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
        let values: [String: Any?] = [
            "anInt16": -32768, "anInt32": Int(Int32.max), "anInt64": Int.min, "aDecimal": Decimal(string: "10.11"),
            "aDouble": -0.1, "aFloat": Double(Float(3.3)), "aString": "naïve 🦊\u{0}zero", "aBool": true,
            "aDate": Date(timeIntervalSinceReferenceDate: 737_057_651.681977), "aUUID": uuid, "aURI": "https://example.org/a?b#c",
            "aBlob": Data([0, 1, 255]), "aLargeBlob": large, "aTransformable": StoredBytes(data: Data("bplist".utf8)),
            "BString": "",
            "aTransient": "not stored",
        ]
        let key = try store.engine.insert(note, in: store.layout, values)
        try store.reopen()
        let row = try #require(try store.engine.row(note, key.key))
        func slot(_ name: String) throws -> Int { try #require(note.slotByName[name]) }
        #expect(row.version == 1)
        #expect(try row.integer(slot("anInt16")) == -32768)
        #expect(try row.integer(slot("anInt32")) == Int64(Int32.max))
        #expect(try row.integer(slot("anInt64")) == Int64.min)
        #expect(try Row.decimal(row.slots, slot("aDecimal")) == Decimal(string: "10.11"))
        #expect(try row.double(slot("aDouble")) == -0.1)
        #expect(try row.double(slot("aFloat")) == Double(Float(3.3)))
        #expect(try row.string(slot("aString")) == "naïve 🦊\u{0}zero")
        #expect(try row.string(slot("BString")) == "")
        #expect(try row.integer(slot("aBool")) == 1)
        #expect(try row.double(slot("aDate")) == 737_057_651.681977)
        #expect(try row.uuid(slot("aUUID")) == uuid)
        #expect(try row.string(slot("aURI")) == "https://example.org/a?b#c")
        #expect(try row.data(slot("aBlob")) == Data([0, 1, 255]))
        #expect(try row.data(slot("aLargeBlob")) == large)
        #expect(try Row.transformedData(row.slots, slot("aTransformable")) == Data("bplist".utf8))
        #expect(try row.isNil(slot("aTransient")))
        let external = try store.text("SELECT hex(substr(ZALARGEBLOB, 1, 1)) || length(ZALARGEBLOB) FROM ZNOTE")
        #expect(external == "01100001")
        let verify = try store.verify()
        #expect(verify.contains("0 problems"))
    }

    @Test("A row of nils, zeros and empty values keeps nil apart from zero and empty")
    func nilIsNotZero() throws {
        let store = try EngineStore()
        let note = try store.entity("Note")
        let empty: [String: Any?] = [
            "anInt16": 0, "aDecimal": Decimal(0), "aDouble": 0.0, "aString": "", "aBool": false, "aBlob": Data(),
            "aLargeBlob": Data(),
            "aDate": Date(timeIntervalSinceReferenceDate: 0),
        ]
        let keys = try store.engine.insert(note, in: store.layout, [empty, [:]])
        let zeros = try #require(try store.engine.row(note, keys[0].key))
        let nils = try #require(try store.engine.row(note, keys[1].key))
        for name in empty.keys {
            let slot = try #require(note.slotByName[name])
            #expect(!zeros.isNil(slot), "\(name)")
            #expect(nils.isNil(slot), "\(name)")
        }
        #expect(try zeros.data(#require(note.slotByName["aBlob"])).isEmpty)
        #expect(try zeros.data(#require(note.slotByName["aLargeBlob"])).isEmpty)
        #expect(try Row.decimal(zeros.slots, #require(note.slotByName["aDecimal"])) == 0)
    }

    @Test("A row as read can be inserted and written again without being a draft")
    func rowsFromTheStoreCanBeWritten() throws {
        let store = try EngineStore()
        let note = try store.entity("Note")
        let blob = Data(repeating: 7, count: 10_000)
        let first = try store.engine.insert(
            note, in: store.layout, ["aString": "text", "aDecimal": Decimal(string: "3.3"), "aBlob": blob])
        let row = try #require(try store.engine.row(note, first.key))
        let second: Int64 = try store.engine.save { transaction in
            let key = try transaction.reserveKeys(1, root: note)
            try transaction.insert([RowChange(key: key, row: row)], entity: note)
            return key
        }
        let copy = try #require(try store.engine.row(note, second))
        for slot in 0..<note.slotCount { #expect(Row.isEqual(row.slots, copy.slots, slot, note.kind(slot))) }
    }

    @Test("Elements of composites have columns of their own")
    func composites() throws {
        let store = try EngineStore()
        let house = try store.entity("House")
        let key = try store.engine.insert(house, in: store.layout, ["address.city": "Kyoto", "address.zip": 600])
        let row = try #require(try store.engine.row(house, key.key))
        #expect(try row.string(#require(house.slotByName["address.city"])) == "Kyoto")
        #expect(try row.isNil(#require(house.slotByName["address.street"])))
        #expect(try store.text("SELECT ZCITY || ZZIP || ifnull(ZSTREET, '-') FROM ZHOUSE") == "Kyoto600-")
    }

    @Test("Keys come from Z_MAX of the root entity, are shared by its subentities and never used again")
    func keys() throws {
        var store = try EngineStore()
        let dog = try store.entity("Dog")
        let cat = try store.entity("Cat")
        let a = try store.engine.insert(dog, in: store.layout, ["name": "a"])
        let b = try store.engine.insert(cat, in: store.layout, ["name": "b"])
        #expect([a.key, b.key] == [1, 2])
        try store.engine.delete(cat, 2, version: 1)
        try store.reopen()
        #expect(try store.engine.insert(dog, in: store.layout, ["name": "c"]).key == 3)
        #expect(
            try store.text("SELECT group_concat(Z_NAME || Z_MAX, ' ') FROM Z_PRIMARYKEY WHERE Z_NAME IN ('Animal', 'Cat', 'Dog')")
                == "Animal3 Cat0 Dog0")
        let rows = try store.engine.rows(RowRequest(store.entity("Animal")))
        #expect(rows.map(\.key) == [RowKey(entity: dog.index, key: 1), RowKey(entity: dog.index, key: 3)])
    }

    @Test("An update writes the masked slots only, and raises the version")
    func updates() throws {
        let store = try EngineStore()
        let note = try store.entity("Note")
        let key = try store.engine.insert(note, in: store.layout, ["aString": "old", "anInt16": 1, "BString": "kept"]).key
        #expect(try store.engine.update(note, key, version: 1, ["aString": "new", "anInt16": nil]) == [])
        let row = try #require(try store.engine.row(note, key))
        #expect(row.version == 2)
        #expect(try row.string(#require(note.slotByName["aString"])) == "new")
        #expect(try row.isNil(#require(note.slotByName["anInt16"])))
        #expect(try row.string(#require(note.slotByName["BString"])) == "kept")
        // Nothing but the version: what a change of a to-many relationship does.
        #expect(try store.engine.update(note, key, version: 2, [:]) == [])
        #expect(try store.engine.row(note, key)?.version == 3)
    }

    @Test("Rows that are gone or have another version are reported, by update and by delete")
    func conflicts() throws {
        let store = try EngineStore()
        let note = try store.entity("Note")
        let key = try store.engine.insert(note, in: store.layout, ["aString": "x"]).key
        #expect(try store.engine.update(note, key, version: 7, ["aString": "y"]) == [key])
        #expect(try store.engine.update(note, 99, version: 1, ["aString": "y"]) == [99])
        #expect(try store.engine.delete(note, key, version: 7) == [key])
        #expect(try store.engine.delete(note, 99, version: 1) == [99])
        #expect(try store.engine.count(RowRequest(note)) == 1)
        #expect(try store.engine.row(note, key)?.version == 1)
    }

    @Test("An error in a save undoes everything, keys included")
    func rollback() throws {
        struct Stop: Error {}
        let store = try EngineStore()
        let note = try store.entity("Note")
        let key = try store.engine.insert(note, in: store.layout, ["aString": "kept"]).key
        #expect(throws: Stop.self) {
            try store.engine.save { transaction in
                let new = try transaction.reserveKeys(1, root: note)
                try transaction.insert([RowChange(key: new, row: .draft(note, ["aString": "lost"]))], entity: note)
                _ = try transaction.update(
                    [
                        RowChange(
                            key: key, row: .draft(note, ["aString": "changed"]), expectedVersion: 1, mask: note.mask("aString"))
                    ],
                    entity: note)
                throw Stop()
            }
        }
        #expect(try store.engine.keys(RowRequest(note)) == [key])
        #expect(try store.engine.row(note, key)?.version == 1)
        #expect(try store.text("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'") == "1")
    }

    @Test("A save may read what it wrote")
    func readingInsideASave() throws {
        let store = try EngineStore()
        let note = try store.entity("Note")
        let seen = try store.engine.save { transaction in
            let key = try transaction.reserveKeys(1, root: note)
            try transaction.insert([RowChange(key: key, row: .draft(note, ["aString": "new"]))], entity: note)
            return try store.engine.keys(RowRequest(note, selection: .keys([key] + (100..<300).map(Int64.init))))
        }
        #expect(seen == [1])
    }

    @Test("Inserts may name rows that come later in the save")
    func forwardReferences() throws {
        let store = try EngineStore()
        let person = try store.entity("Person")
        let dog = try store.entity("Dog")
        try store.engine.save { transaction in
            let animals = try transaction.reserveKeys(2, root: store.entity("Animal"))
            let people = try transaction.reserveKeys(1, root: person)
            let owner = RowKey(entity: person.index, key: people)
            let other = RowKey(entity: dog.index, key: animals + 1)
            try transaction.insert(
                [
                    RowChange(key: animals, row: .draft(dog, ["name": "a", "owner": owner, "enemy": other])),
                    RowChange(key: animals + 1, row: .draft(dog, ["name": "b"])),
                ], entity: dog)
            try transaction.insert([RowChange(key: people, row: .draft(person, ["name": "p"]))], entity: person)
        }
        let row = try #require(try store.engine.row(dog, 1))
        let enemy = try #require(dog.relationship(named: "enemy"))
        #expect(row.integer(enemy.slot) == 2)
        #expect(try row.integer(#require(enemy.entitySlot)) == Int64(dog.index))
        let verify = try store.verify()
        #expect(verify.contains("0 problems"))
    }

    @Test("The extra entity column holds the number of the destination's concrete entity and goes with the key")
    func entityColumns() throws {
        let store = try EngineStore()
        let dog = try store.entity("Dog")
        let puppy = try store.entity("Puppy")
        let cat = try store.entity("Cat")
        let enemy = try store.engine.insert(puppy, in: store.layout, ["name": "p"])
        let other = try store.engine.insert(cat, in: store.layout, ["name": "c"])
        let key = try store.engine.insert(dog, in: store.layout, ["name": "d", "enemy": enemy]).key
        let query = "SELECT e.Z_NAME FROM ZANIMAL a LEFT JOIN Z_PRIMARYKEY e ON e.Z_ENT = a.Z1_ENEMY WHERE a.Z_PK = \(key)"
        #expect(try store.text(query) == "Puppy")
        // The mask names the relationship only.
        try store.engine.update(dog, key, version: 1, ["enemy": other])
        #expect(try store.text(query) == "Cat")
        try store.engine.update(dog, key, version: 2, ["enemy": nil])
        #expect(try store.text("SELECT ifnull(ZENEMY, '-') || ifnull(Z1_ENEMY, '-') FROM ZANIMAL WHERE Z_PK = \(key)") == "--")
        let verify = try store.verify()
        #expect(verify.contains("0 problems"))
    }

    @Test("A violated uniqueness constraint is error 133021, names entity and properties, and nothing is written")
    func uniqueness() throws {
        let store = try EngineStore()
        let person = try store.entity("Person")
        _ = try store.engine.insert(person, in: store.layout, ["name": "a", "email": "x@y"])
        let second = try store.engine.insert(person, in: store.layout, ["name": "b"]).key
        let error = try #require(throws: NSError.self) {
            try store.engine.insert(person, in: store.layout, [["name": "c"], ["name": "d", "email": "x@y"]])
        }
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectConstraintMergeError)
        #expect(error.userInfo[ConstraintViolation.entityKey] as? String == "Person")
        #expect(error.userInfo[ConstraintViolation.propertiesKey] as? [String] == ["email"])
        #expect(error.userInfo[ConstraintViolation.rowKeyKey] as? Int64 == 4)
        #expect(error.localizedDescription.contains("email"))
        #expect(try store.engine.count(RowRequest(person)) == 2)
        let updating = try #require(throws: NSError.self) {
            try store.engine.update(person, second, version: 1, ["email": "x@y"])
        }
        #expect(updating.code == NSManagedObjectConstraintMergeError)
        // The statement that failed serves again.
        #expect(try store.engine.insert(person, in: store.layout, ["name": "e", "email": "z@y"]).key == 3)
    }

    @Test("A relationship to an object without a key in the store is refused")
    func temporaryKeys() throws {
        let store = try EngineStore()
        let dog = try store.entity("Dog")
        let error = try #require(throws: NSError.self) {
            try store.engine.insert(dog, in: store.layout, ["name": "d", "owner": RowKey(entity: 0, key: -1)])
        }
        #expect(error.localizedDescription.contains("Dog.owner"))
    }

    @Test("STO-52: metadata reaches the file with the next save, keys of the framework stay")
    func metadata() throws {
        var store = try EngineStore()
        var metadata = store.engine.metadata
        let identifier = store.engine.identifier
        metadata["App"] = ["a": 1, "d": Data([1])] as [String: Any]
        metadata[StoreMetadata.typeKey] = "Other"
        metadata[StoreMetadata.identifierKey] = "Other"
        store.engine.setMetadata(metadata)
        #expect(store.engine.metadata[StoreMetadata.identifierKey] as? String == identifier)
        #expect(try SQLiteStoreFiles().metadata(of: store.url)["App"] == nil)
        try store.engine.save { _ in }
        let read = try SQLiteStoreFiles().metadata(of: store.url)
        #expect((read["App"] as? [String: Any])?["d"] as? Data == Data([1]))
        #expect(read[StoreMetadata.typeKey] as? String == "SQLite")
        try store.reopen()
        #expect(store.engine.identifier == identifier)
        #expect(store.engine.metadata["App"] != nil)
        store.engine.setMetadata(["Bad": store.folder])
        let error = try #require(throws: NSError.self) { try store.engine.save { _ in } }
        #expect(error.code == NSPersistentStoreSaveError && error.localizedDescription.contains("Bad"))
        let verify = try store.verify()
        #expect(verify.contains("0 problems"))
    }

    @Test("STO-175, STO-178: derived counts are kept by the store's triggers, whatever the row holds")
    func derivedCounts() throws {
        let store = try EngineStore()
        let house = try store.entity("House")
        let room = try store.entity("Room")
        let home = try store.engine.insert(house, in: store.layout, ["roomsCount": 77])
        let other = try store.engine.insert(house, in: store.layout, [:])
        let rooms = try store.engine.insert(room, in: store.layout, [["house": home], ["house": home], [:]])
        func count(_ key: RowKey) throws -> Int64? {
            try store.engine.row(house, key.key).map { $0.integer(house.slotByName["roomsCount"] ?? 0) }
        }
        #expect(try count(home) == 2)
        #expect(try count(other) == 0)
        try store.engine.update(room, rooms[0].key, version: 1, ["house": other])
        try store.engine.delete(room, rooms[1].key, version: 1)
        #expect(try count(home) == 0)
        #expect(try count(other) == 1)
        #expect(try store.engine.row(house, home.key)?.version == 1)
    }

    @Test("Files of external data are read, and removed once no row names them", arguments: [true, false])
    func externalFiles(_ byDeleting: Bool) throws {
        let (store, key, file, data) = try EngineStore.withExternalFile()
        let note = try store.entity("Note")
        let slot = try #require(note.slotByName["aLargeBlob"])
        #expect(try store.engine.row(note, key)?.data(slot) == data)
        try store.engine.update(note, key, version: 1, ["aString": "y"])
        #expect(FileManager.default.fileExists(atPath: file.path))
        #expect(try store.engine.row(note, key)?.data(slot) == data)
        if byDeleting {
            try store.engine.delete(note, key, version: 2)
        } else {
            try store.engine.update(note, key, version: 2, ["aLargeBlob": Data([9])])
            #expect(try store.engine.row(note, key)?.data(slot) == Data([9]))
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("A missing file of external data reads as nil, and saving other values leaves the column alone")
    func missingExternalFile() throws {
        var store = try EngineStore()
        let note = try store.entity("Note")
        let key = try store.engine.insert(note, in: store.layout, ["aString": "x"]).key
        store.engine.close()
        let hex = ([2] + Array(UUID().uuidString.utf8) + [0]).map { String(format: "%02X", $0) }.joined()
        try Database(store.url).execute("UPDATE ZNOTE SET ZALARGEBLOB = x'\(hex)'")
        try store.reopen()
        #expect(try store.engine.row(note, key)?.isNil(#require(note.slotByName["aLargeBlob"])) == true)
        try store.engine.update(note, key, version: 1, ["aString": "y"])
        #expect(try store.text("SELECT hex(ZALARGEBLOB) FROM ZNOTE") == hex)
    }

    @Test("After close every call is refused")
    func closed() throws {
        let store = try EngineStore()
        let note = try store.entity("Note")
        store.engine.close()
        let error = try #require(throws: NSError.self) { try store.engine.rows(RowRequest(note)) }
        #expect(error.localizedDescription.contains("closed"))
        #expect(throws: NSError.self) { try store.engine.save { _ in } }
        #expect(!FileManager.default.fileExists(atPath: store.url.path + "-wal"))
    }
}

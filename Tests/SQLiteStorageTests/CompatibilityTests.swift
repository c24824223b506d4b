import DataModel
import Foundation
import Storage
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite("Fitting a model to a store")
struct CompatibilityTests {
    private static let base = """
        <entity name="Movie"><attribute name="title" attributeType="String"/>\
        <relationship name="director" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Person" inverseName="movies" inverseEntity="Person"/>\
        <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag" inverseName="movies" inverseEntity="Tag"/></entity>
        <entity name="Person"><attribute name="name" attributeType="String"/>\
        <relationship name="movies" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Movie" inverseName="director" inverseEntity="Movie"/></entity>
        <entity name="Star" parentEntity="Person"><attribute name="fee" optional="YES" attributeType="Double"/></entity>
        <entity name="Tag"><attribute name="text" attributeType="String"/>\
        <relationship name="movies" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Movie" inverseName="tags" inverseEntity="Movie"/></entity>
        """

    struct Change: CustomStringConvertible, Sendable {
        let description: String
        let from: String
        let to: String
        let entity: String
        let reason: String
    }

    private static let changes = [
        Change(
            description: "attribute added", from: #"<attribute name="title" attributeType="String"/>"#,
            to:
                #"<attribute name="title" attributeType="String"/><attribute name="year" optional="YES" attributeType="Integer 16"/>"#,
            entity: "Movie", reason: "no column ZMOVIE.ZYEAR for “Movie.year”"),
        Change(
            description: "attribute removed", from: #"<attribute name="fee" optional="YES" attributeType="Double"/>"#, to: "",
            entity: "Person", reason: "for the column ZPERSON.ZFEE"),
        Change(
            description: "attribute of another type", from: #"name="fee" optional="YES" attributeType="Double""#,
            to: #"name="fee" optional="YES" attributeType="Date""#, entity: "Star",
            reason: "“Star.fee” is FLOAT in the store and TIMESTAMP in the model"),
        Change(
            description: "entity renamed", from: #"<entity name="Star" "#, to: #"<entity name="Actor" "#, entity: "Actor",
            reason: "the store has no entity “Actor”"),
        Change(
            description: "entity removed",
            from:
                #"<entity name="Star" parentEntity="Person"><attribute name="fee" optional="YES" attributeType="Double"/></entity>"#,
            to: "", entity: "Star", reason: "the model has no entity “Star”"),
        Change(
            description: "entity added", from: #"<entity name="Star""#, to: #"<entity name="Studio"/><entity name="Star""#,
            entity: "Studio", reason: "the store has no entity “Studio”"),
        Change(
            description: "other parent", from: #"name="Star" parentEntity="Person""#, to: #"name="Star" parentEntity="Tag""#,
            entity: "Star", reason: "the parent of “Star” is “Person” in the store and “Tag” in the model"),
        Change(
            description: "relationship became ordered",
            from:
                #"name="movies" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Movie" inverseName="tags""#,
            to:
                #"name="movies" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" destinationEntity="Movie" inverseName="tags""#,
            entity: "Movie", reason: "is ordered in only one of store and model"),
    ]

    private func open(_ url: URL, _ entities: String, in folder: TemporaryFolder, _ options: StoreSettings = .init()) throws
        -> SQLiteEngine
    {
        let model = try TestModels.make(entities, in: folder, name: UUID().uuidString).model
        return try SQLiteEngine(url: url, model: model, layout: ModelLayout(model), options: options)
    }

    @Test(
        "STO-70: a model that differs is error 134100, which names entities and properties, and leaves the file alone",
        arguments: changes)
    func differences(_ change: Change) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Store.sqlite")
        try open(url, Self.base, in: folder).close()
        let before = try Data(contentsOf: url)
        #expect(Self.base.contains(change.from))
        let entities = Self.base.replacingOccurrences(of: change.from, with: change.to)
        let error = try #require(throws: NSError.self) { try open(url, entities, in: folder) }
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreIncompatibleVersionHashError)
        #expect(error.localizedDescription.contains(change.reason), "\(error.localizedDescription)")
        #expect((error.userInfo["entities"] as? [String])?.contains(change.entity) == true)
        #expect((error.userInfo["metadata"] as? [String: Any])?[StoreMetadata.typeKey] as? String == "SQLite")
        #expect(error.userInfo["reason"] is String)
        #expect(try Data(contentsOf: url) == before)
    }

    @Test("A many-to-many relationship that the model lost is a difference")
    func lostJoinTable() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Store.sqlite")
        try open(url, Self.base, in: folder).close()
        let entities = Self.base.replacingOccurrences(
            of:
                #"<relationship name="[a-z]*" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="(Tag|Movie)" inverseName="(tags|movies)" inverseEntity="(Tag|Movie)"/>(?=</entity>)"#,
            with: "", options: .regularExpression)
        let kept = entities.replacingOccurrences(
            of: #"maxCount="1" deletionRule="Nullify" destinationEntity="Person" inverseName="movies" inverseEntity="Person""#,
            with: #"maxCount="1" deletionRule="Nullify" destinationEntity="Person""#)
        let error = try #require(throws: NSError.self) { try open(url, kept, in: folder) }
        #expect(error.localizedDescription.contains("for the table Z_1TAGS"), "\(error.localizedDescription)")
    }

    @Test("Changes that do not show in tables are no difference; the hashes in the file are kept")
    func invisibleChanges() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Store.sqlite")
        let first = try open(url, Self.base, in: folder)
        let hashes = try #require(first.metadata[StoreMetadata.hashesKey] as? [String: Data])
        first.close()
        let entities = Self.base.replacingOccurrences(
            of: #"name="title" attributeType"#, with: #"name="title" optional="YES" attributeType"#)
        let second = try open(url, entities, in: folder)
        try second.save { _ in }
        second.setMetadata(second.metadata)
        try second.save { _ in }
        #expect(second.metadata[StoreMetadata.hashesKey] as? [String: Data] == hashes)
        second.close()
        #expect(try SQLiteStoreFiles().metadata(of: url)[StoreMetadata.hashesKey] as? [String: Data] == hashes)
    }

    @Test("An entity is found by its renaming identifier, with its old number")
    func renamedEntity() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Store.sqlite")
        try open(url, Self.base, in: folder).close()
        let entities = Self.base.replacingOccurrences(
            of: #"<entity name="Star" "#, with: #"<entity name="Actor" elementID="Star" "#)
        let model = try TestModels.make(entities, in: folder, name: "Renamed").model
        #expect(model.entitiesByName["Actor"]?.renamingIdentifier == "Star")
        let layout = ModelLayout(model)
        let engine = try SQLiteEngine(url: url, model: model, layout: layout, options: .init())
        let actor = try #require(layout.entity(named: "Actor"))
        _ = try engine.insert(actor, in: layout, ["name": "a", "fee": 2.0])
        #expect(try engine.rows(RowRequest(#require(layout.entity(named: "Person")))).map(\.key.entityIndex) == [actor.index])
        engine.close()
        #expect(try Database(url).text("SELECT Z_ENT FROM ZPERSON") == "3")
    }

    @Test("STO-71: versioning ignored, a file with more than the model needs opens; one with less does not")
    func ignoringVersions() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Store.sqlite")
        try open(url, Self.base, in: folder).close()
        var options = StoreSettings()
        options.ignoresVersioning = true
        let less = Self.base.replacingOccurrences(of: Self.changes[1].from, with: "")
        try open(url, less, in: folder, options).close()
        let more = Self.base.replacingOccurrences(of: Self.changes[0].from, with: Self.changes[0].to)
        let error = try #require(throws: NSError.self) { try open(url, more, in: folder, options) }
        #expect(error.code == NSPersistentStoreIncompatibleVersionHashError)
    }

    @Test("A self-referencing join table is accepted under either name, with its columns")
    func otherJoinName() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Store.sqlite")
        let entities = """
            <entity name="Node">\
            <relationship name="next" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" destinationEntity="Node" inverseName="previous" inverseEntity="Node"/>\
            <relationship name="previous" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Node" inverseName="next" inverseEntity="Node"/></entity>
            """
        let model = try TestModels.make(entities, in: folder).model
        let layout = ModelLayout(model)
        let node = try #require(layout.entity(named: "Node"))
        var engine = try SQLiteEngine(url: url, model: model, layout: layout, options: .init())
        _ = try engine.insert(node, in: layout, [[:], [:], [:]])
        try engine.change(node, "next", of: 1, added: [2, 3], order: [3, 2])
        engine.close()
        let columns = "group_concat(name || ' ' || pk, ', ')"
        #expect(
            try Database(url).text("SELECT \(columns) FROM pragma_table_info('Z_1PREVIOUS')")
                == "Z_1NEXT 1, Z_1PREVIOUS 2, Z_FOK_1NEXT 0")
        // The same pairs as a framework wrote them that took the other side.
        try Database(url).execute(
            """
            CREATE TABLE Z_1NEXT ( Z_1PREVIOUS INTEGER, Z_1NEXT INTEGER, Z_FOK_1NEXT INTEGER, PRIMARY KEY (Z_1PREVIOUS, Z_1NEXT) );
            INSERT INTO Z_1NEXT SELECT Z_1PREVIOUS, Z_1NEXT, Z_FOK_1NEXT FROM Z_1PREVIOUS; DROP TABLE Z_1PREVIOUS;
            """)
        engine = try SQLiteEngine(url: url, model: model, layout: layout, options: .init())
        #expect(try engine.members(node, "next", of: 1, in: layout) == [3, 2])
        #expect(try engine.members(node, "previous", of: 3, in: layout) == [1])
        try engine.change(node, "previous", of: 2, added: [3])
        #expect(try engine.members(node, "next", of: 3, in: layout) == [2])
        engine.close()
        if Fixtures.hasOracles {
            let verify = try Oracle.run("verify", [url.path, "--model", folder.file("Model.xcdatamodel").path])
            #expect(verify.contains("0 problems"), "\(verify)")
        }
    }
}

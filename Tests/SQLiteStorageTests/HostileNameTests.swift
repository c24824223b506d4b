import DataModel
import Foundation
import Storage
import TestSupport
import Testing

@testable import SQLiteStorage

/// Names from models and files that would be SQL, or part of it, if they reached a statement unchecked.
@Suite("Names that try to be SQL")
struct HostileNameTests {
    /// Stands in each hostile name, so that it can be found wherever it went.
    private static let marker = "PWN"

    /// `plain` is what the identifier is called in the model that works.
    private static func hostile(_ plain: String) -> [String] {
        [
            "\(plain) VARCHAR); COMMIT; ATTACH 'PWN.DB' AS p; CREATE TABLE p.t(a); --.b",
            "b.\(plain) VARCHAR); COMMIT; ATTACH 'PWN.DB' AS p; CREATE TABLE p.t(a); --",
            "PWN.\(plain)", "\(plain).PWN", ".PWN", "PWN.", "PWN..b", "a.PWN.c",
            "PWN b", "PWN\nb", "PWN\0b", "PWN\u{A0}b", "PWN\u{2028}b", "PWN\u{200B}b", "PWN-b", "PWN'b", "PWN\"b", "PWN`b",
            "[PWN]",
            "PWN;", "PWN)", "PWN,b", "PWN/*", "@PWN", "“PWN”",
        ]
    }

    /// The places in a model that carry an identifier, each with a mark in `template`.
    private static let places = [
        "ENTITY", "CHILD", "ATTRIBUTE", "TRANSIENT", "CHILDATTRIBUTE", "TOONE", "TOMANY", "MANY", "INVERSE", "HIDDEN",
        "COMPOSITE", "ELEMENT",
        "NESTED", "LEAF", "INDEX", "COUNT", "FETCHED", "CONFIGURATION", "RENAMED", "RENAMEDATTRIBUTE", "DERIVATION", "TYPE",
    ]

    private static let template = """
        <entity name="ENTITY" elementID="RENAMED">
            <attribute name="ATTRIBUTE" optional="YES" attributeType="String" elementID="RENAMEDATTRIBUTE"/>
            <attribute name="TRANSIENT" optional="YES" transient="YES" attributeType="String"/>
            <attribute name="COMPOSITE" optional="YES" attributeType="Composite" composite="TYPE"/>
            <attribute name="other" optional="YES" attributeType="Date" derived="YES" derivationExpression="DERIVATION"/>
            <relationship name="TOONE" optional="YES" maxCount="1" destinationEntity="Part" inverseName="TOMANY" inverseEntity="Part"/>
            <relationship name="MANY" optional="YES" toMany="YES" ordered="YES" destinationEntity="Part" inverseName="INVERSE" inverseEntity="Part"/>
            <relationship name="HIDDEN" optional="YES" toMany="YES" ordered="YES" destinationEntity="Part"/>
            <fetchedProperty name="FETCHED"><fetchRequest name="f" entity="Part"/></fetchedProperty>
            <fetchIndex name="INDEX"><fetchIndexElement property="ATTRIBUTE" type="Binary" order="descending"/></fetchIndex>
            <uniquenessConstraints><uniquenessConstraint><constraint value="ATTRIBUTE"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        <entity name="CHILD" parentEntity="ENTITY">
            <attribute name="CHILDATTRIBUTE" optional="YES" attributeType="String"/>
        </entity>
        <entity name="Part">
            <attribute name="number" optional="YES" attributeType="Integer 32"/>
            <attribute name="COUNT" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="TOMANY.@count"/>
            <relationship name="TOMANY" optional="YES" toMany="YES" ordered="YES" destinationEntity="ENTITY" inverseName="TOONE" inverseEntity="ENTITY"/>
            <relationship name="INVERSE" optional="YES" toMany="YES" destinationEntity="ENTITY" inverseName="MANY" inverseEntity="ENTITY"/>
        </entity>
        <composite name="TYPE">
            <attribute name="ELEMENT" optional="YES" attributeType="String"/>
            <attribute name="NESTED" optional="YES" attributeType="Composite" composite="Inner"/>
        </composite>
        <composite name="Inner"><attribute name="LEAF" optional="YES" attributeType="Integer 16"/></composite>
        <configuration name="CONFIGURATION"><memberEntity name="ENTITY"/></configuration>
        """

    /// The model with one identifier replaced, as a model in a file gives it. Nil where XML has no way to write the name.
    private func fileModel(_ place: String, _ name: String, in folder: TemporaryFolder) throws -> NSManagedObjectModel? {
        guard !name.contains("\0") else { return nil }
        var text = name
        for (character, entity) in [("&", "&amp;"), ("<", "&lt;"), ("\"", "&quot;"), ("\n", "&#10;"), ("\t", "&#9;")] {
            text = text.replacingOccurrences(of: character, with: entity)
        }
        var entities = Self.template
        for known in Self.places.sorted(by: { $0.count > $1.count }) {
            entities = entities.replacingOccurrences(
                of: "\"\(known)", with: "\"" + (known == place ? text : known == "DERIVATION" ? "now()" : Self.plain(known)))
        }
        return try TestModels.make(entities, in: folder, name: UUID().uuidString).model
    }

    private static func plain(_ place: String) -> String { place.prefix(1) + place.dropFirst().lowercased() }

    /// The same by setting the names in code.
    private func codeModel(_ place: String, _ name: String, in folder: TemporaryFolder) throws -> NSManagedObjectModel? {
        let model = try #require(try fileModel("", "", in: folder)).copy() as? NSManagedObjectModel
        let renamed = try #require(model)
        let old = Self.plain(place)
        for entity in renamed.entities {
            if entity.name == old { entity.name = name }
            if place == "RENAMED", entity.name == "Entity" { entity.renamingIdentifier = name }
            entity.uniquenessConstraints = entity.uniquenessConstraintNames.map { $0.map { $0 == old ? name : $0 } }
            for property in entity.ownProperties {
                if property.name == old { property.name = name }
                if place == "RENAMEDATTRIBUTE", property.name == "Attribute" { property.renamingIdentifier = name }
                if let derived = property as? NSDerivedAttributeDescription {
                    if place == "DERIVATION", derived.name == "other" { derived.derivationExpressionString = name }
                    if place == "TOMANY", derived.name == "Count" { derived.derivationExpressionString = "\(name).@count" }
                }
                if let composite = property as? NSCompositeAttributeDescription {
                    for element in composite.elements {
                        if element.name == old { element.name = name }
                        for leaf in (element as? NSCompositeAttributeDescription)?.elements ?? [] where leaf.name == old {
                            leaf.name = name
                        }
                    }
                }
            }
            entity.indexes = entity.indexes.map { index in
                NSFetchIndexDescription(
                    name: index.name == old ? name : index.name,
                    elements: index.elements.compactMap { element in
                        element.property.map { NSFetchIndexElementDescription(property: $0, collationType: .binary) }
                    })
            }
        }
        if place == "CONFIGURATION" { renamed.setEntities([renamed.entities[0]], forConfigurationName: name) }
        return renamed
    }

    /// Opens a store and uses each of its tables. What came of it: an error, or nothing of the name in any text of the schema.
    private func tryOut(_ model: NSManagedObjectModel, _ folder: TemporaryFolder, _ what: String) throws -> Bool {
        let layout = ModelLayout(model)
        func open(_ url: URL) throws -> SQLiteEngine {
            try SQLiteEngine(url: url, model: model, layout: layout, options: .init())
        }
        do {
            let engine = try open(URL(fileURLWithPath: "/dev/null"))
            defer { engine.close() }
            try use(engine, layout)
            var schema = ""
            let connection = try engine.openStore(.reading).connection
            try connection.rows("SELECT name, sql FROM sqlite_master", .reading) {
                schema += "\($0.text(0) ?? "") \($0.text(1) ?? "")\n"
            }
            #expect(schema.contains("CREATE TABLE") && !schema.contains(Self.marker), "\(what): \(schema)")
            return true
        } catch {
            let url = folder.file("Store.sqlite")
            let error = #expect(throws: NSError.self) { try open(url) }
            #expect(
                error?.domain == NSCocoaErrorDomain && error?.code == NSPersistentStoreIncompatibleSchemaError,
                "\(what): \(String(describing: error))")
            #expect(!FileManager.default.fileExists(atPath: url.path), "\(what)")
            return false
        }
    }

    /// Writes and reads every table.
    private func use(_ engine: SQLiteEngine, _ layout: ModelLayout) throws {
        for entity in layout.entities {
            _ = try engine.insert(entity, in: layout, [[:], [:]])
            _ = try engine.rows(RowRequest(entity))
            for relationship in entity.relationships where relationship.isToMany {
                try engine.change(entity, relationship.name, of: 1, added: [1, 2])
                _ = try engine.members(entity, relationship.name, of: 1, in: layout)
            }
        }
    }

    @Test("R90, R29: no identifier of a model reaches SQL unless every component is plain: 134020, and no file is made")
    func names() throws {
        let folder = try TemporaryFolder()
        let work = FileManager.default.currentDirectoryPath
        let before = Set(try FileManager.default.contentsOfDirectory(atPath: work))
        // These never become part of a statement: they are only looked up, or skipped.
        let free: Set = ["INDEX", "FETCHED", "CONFIGURATION", "RENAMED", "RENAMEDATTRIBUTE", "TYPE"]
        for place in Self.places {
            for (number, name) in Self.hostile(Self.plain(place)).enumerated() {
                // Reading model files takes most of the time.
                let file = try? number.isMultiple(of: 3) ? fileModel(place, name, in: folder) : nil
                let models = [("file", file), ("code", try codeModel(place, name, in: folder))]
                for case (let source, let model?) in models {
                    let what = "\(place) named “\(name)” in \(source)"
                    let opened = try tryOut(model, folder, what)
                    #expect(opened == free.contains(place), "\(what)")
                }
            }
        }
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: work)) == before)
        #expect(!FileManager.default.fileExists(atPath: folder.file("PWN.DB").path))
        // With plain names the same model works. A derivation is refused unless it leads to a property.
        for place in Self.places where place != "DERIVATION" {
            for name in ["Plain", "größe", "名前", "x1_", "_x", "select", "Z_PK", "é", "e\u{301}", "ключ"] {
                for case let model? in [try? fileModel(place, name, in: folder), try codeModel(place, name, in: folder)] {
                    #expect(try tryOut(model, folder, "\(place) named “\(name)”"))
                }
            }
        }
    }

    // MARK: Names in files

    /// A file that somebody else changed, opened with and without checking versions, then used.
    private func openForeign(_ url: URL, _ model: NSManagedObjectModel, _ what: String) throws {
        let layout = ModelLayout(model)
        for ignores in [false, true] {
            var options = StoreSettings()
            options.ignoresVersioning = ignores
            options.allowsForeignTriggers = true
            do {
                let engine = try SQLiteEngine(url: url, model: model, layout: layout, options: options)
                defer { engine.close() }
                try use(engine, layout)
            } catch let error as NSError {
                #expect(error.domain == NSCocoaErrorDomain, "\(what)")
                #expect(
                    [NSPersistentStoreIncompatibleVersionHashError, CocoaError.fileReadCorruptFile.rawValue].contains(error.code),
                    "\(what): \(error.code) \(error.localizedDescription)")
            }
        }
    }

    @Test("R90: names that a store file brings along reach no statement unquoted or unchecked")
    func namesInFiles() throws {
        let folder = try TemporaryFolder()
        let model = try #require(try fileModel("", "", in: folder))
        let names = [
            "Z_1MANY) VALUES (1, 2); ATTACH 'PWN.DB' AS p; CREATE TABLE p.t(a); --", "Z_1\"PWN'", "Z_1PWN.a", "Z_FOK_PWN b",
        ]
        func quoted(_ name: String) -> String { SQLName.quoted(name) }
        func literal(_ name: String) -> String { "'" + name.replacingOccurrences(of: "'", with: "''") + "'" }
        for (number, name) in names.enumerated() {
            let changes = [
                "ALTER TABLE Z_1MANY RENAME COLUMN Z_1INVERSE TO \(quoted(name))",
                "ALTER TABLE Z_1MANY RENAME COLUMN Z_3MANY TO \(quoted(name))",
                "ALTER TABLE Z_1MANY RENAME COLUMN Z_FOK_3MANY TO \(quoted(name))",
                "ALTER TABLE Z_1MANY ADD COLUMN \(quoted(name)) INTEGER",
                "ALTER TABLE Z_1MANY RENAME TO \(quoted(name))",
                "ALTER TABLE ZENTITY RENAME TO \(quoted(name))",
                "ALTER TABLE ZENTITY ADD COLUMN \(quoted(name)) \(quoted(name))",
                "ALTER TABLE ZENTITY RENAME COLUMN ZATTRIBUTE TO \(quoted(name))",
                "CREATE TABLE \(quoted(name)) (\(quoted(name)) \(quoted(name)))",
                "CREATE VIEW \(quoted(name)) AS SELECT 1 AS \(quoted(name))",
                "CREATE TRIGGER \(quoted(name)) AFTER INSERT ON ZPART BEGIN SELECT 1; END",
                "CREATE INDEX \(quoted(name)) ON ZENTITY (Z_OPT)",
                "UPDATE Z_PRIMARYKEY SET Z_NAME = \(literal(name))",
                "UPDATE Z_PRIMARYKEY SET Z_NAME = \(literal(name)) WHERE Z_ENT = 1",
                "CREATE TABLE ACHANGE (\(quoted(name)) INTEGER); CREATE TABLE ATRANSACTION (\(quoted(name)) INTEGER)",
            ]
            for (index, change) in changes.enumerated() {
                let url = folder.file("Store-\(number)-\(index).sqlite")
                try SQLiteEngine(url: url, model: model, layout: ModelLayout(model), options: .init()).close()
                try Database(url).execute(change)
                // History tables without the columns of history are damage of another kind.
                if change.contains("ACHANGE") { continue }
                try openForeign(url, model, change)
            }
        }
        #expect(!FileManager.default.fileExists(atPath: "PWN.DB"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("PWN.DB").path))
    }

    @Test("R90: names of store files are never taken for parts of a URI or for other files")
    func fileNames() throws {
        let folder = try TemporaryFolder()
        let model = try #require(try fileModel("", "", in: folder))
        let layout = ModelLayout(model)
        let names = [
            "a?mode=memory", "a?vfs=memdb", "a#b", "a%2e%2e%2fb", "a%00b", "a&b=c", "file:a", ":memory:", "a'b", "a\"b", "a;b",
            "a b", "名前", "-a",
            "a?immutable=1&cache=shared",
        ]
        for name in names {
            let url = folder.file("stores/\(name)")
            try FileManager.default.createDirectory(at: folder.file("stores"), withIntermediateDirectories: true)
            let part = try #require(layout.entity(named: "Part"))
            let engine = try SQLiteEngine(url: url, model: model, layout: layout, options: .init())
            _ = try engine.insert(part, in: layout, ["number": 1])
            engine.close()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("stores").path) == [name], "\(name)")
            var options = StoreSettings()
            options.isReadOnly = true
            let second = try SQLiteEngine(url: url, model: model, layout: layout, options: options)
            #expect(try second.rows(RowRequest(part)).count == 1, "\(name)")
            second.close()
            try FileManager.default.removeItem(at: folder.file("stores"))
        }
    }
}

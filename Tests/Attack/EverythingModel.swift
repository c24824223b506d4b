import OpenCoreData
import TestSupport

/// A model with every type of attribute and every kind of relationship.
enum EverythingModel {
    static let xml = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <composite name="Place">
                <attribute name="street" optional="YES" attributeType="String"/>
                <attribute name="number" optional="YES" attributeType="Integer 32"/>
            </composite>
            <entity name="Thing" isAbstract="YES">
                <attribute name="name" attributeType="String"/>
                <attribute name="created" optional="YES" attributeType="Date"/>
                <relationship name="parent" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Folder" inverseName="children" inverseEntity="Folder"/>
                <fetchIndex name="byName"><fetchIndexElement property="name" type="Binary" order="ascending"/></fetchIndex>
            </entity>
            <entity name="Folder" parentEntity="Thing">
                <attribute name="childCount" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="children.@count"/>
                <relationship name="children" optional="YES" toMany="YES" deletionRule="Cascade" ordered="YES" destinationEntity="Thing" inverseName="parent" inverseEntity="Thing"/>
            </entity>
            <entity name="Document" parentEntity="Thing">
                <attribute name="int16" attributeType="Integer 16" defaultValueString="3"/>
                <attribute name="int32" optional="YES" attributeType="Integer 32"/>
                <attribute name="int64" optional="YES" attributeType="Integer 64"/>
                <attribute name="flag" optional="YES" attributeType="Boolean"/>
                <attribute name="double" optional="YES" attributeType="Double"/>
                <attribute name="float" optional="YES" attributeType="Float"/>
                <attribute name="decimal" optional="YES" attributeType="Decimal"/>
                <attribute name="data" optional="YES" attributeType="Binary"/>
                <attribute name="picture" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                <attribute name="uuid" optional="YES" attributeType="UUID"/>
                <attribute name="uri" optional="YES" attributeType="URI"/>
                <attribute name="archive" optional="YES" attributeType="Transformable" valueTransformerName="NSSecureUnarchiveFromData"/>
                <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
                <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag" inverseName="documents" inverseEntity="Tag"/>
                <relationship name="authors" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES" destinationEntity="Person" inverseName="works" inverseEntity="Person"/>
                <relationship name="origin" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Tag"/>
                <relationship name="cover" optional="YES" maxCount="1" deletionRule="Cascade" destinationEntity="Cover" inverseName="document" inverseEntity="Cover"/>
            </entity>
            <entity name="Cover">
                <attribute name="title" attributeType="String"/>
                <relationship name="document" maxCount="1" minCount="1" deletionRule="Nullify" destinationEntity="Document" inverseName="cover" inverseEntity="Document"/>
            </entity>
            <entity name="Tag">
                <attribute name="label" attributeType="String"/>
                <relationship name="documents" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Document" inverseName="tags" inverseEntity="Document"/>
                <relationship name="examples" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Document"/>
                <uniquenessConstraints><uniquenessConstraint><constraint value="label"/></uniquenessConstraint></uniquenessConstraints>
            </entity>
            <entity name="Person">
                <attribute name="name" attributeType="String"/>
                <relationship name="works" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES" destinationEntity="Document" inverseName="authors" inverseEntity="Document"/>
                <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Person" inverseName="friends" inverseEntity="Person"/>
            </entity>
        </model>
        """

    private static func file(in folder: URL) -> URL { folder.appendingPathComponent("Everything.xcdatamodel/contents") }

    static func write(in folder: URL) throws {
        let file = file(in: folder)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(xml.utf8).write(to: file)
    }

    static func make(in folder: URL) throws -> NSManagedObjectModel {
        try NSManagedObjectModel(readingModelAt: file(in: folder).deletingLastPathComponent())
    }

    /// Makes a store with some objects of each kind, all linked.
    static func fill(_ url: URL, in folder: URL, hasExternalFiles: Bool) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try make(in: folder))
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.run { context in
            func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                for (key, value) in values { object.setValue(value, forKey: key) }
                return object
            }
            let root = make("Folder", ["name": "root", "created": Date(timeIntervalSinceReferenceDate: 0)])
            let tags = ["red", "green", "blue"].map { make("Tag", ["label": $0]) }
            let people = ["ann", "bob"].map { make("Person", ["name": $0]) }
            people[0].setValue(NSSet(array: people), forKey: "friends")
            for number in 0..<6 {
                let archive: Any =
                    ["a": [1, 2.5, "x"], "n": number, "d": Date(timeIntervalSinceReferenceDate: 1), "s": Set([1, 2])]
                    as [String: Any]
                let document = make(
                    "Document",
                    [
                        "name": "document \(number)", "created": Date(timeIntervalSinceReferenceDate: Double(number)),
                        "int32": number, "int64": -number,
                        "flag": number.isMultiple(of: 2), "double": Double(number) / 3, "float": Float(2.5),
                        "decimal": Decimal(number), "data": Data([1, 2]),
                        "picture": Data(repeating: UInt8(number), count: 50), "uuid": UUID(),
                        "uri": URL(fileURLWithPath: "/x\(number)"), "archive": archive,
                        "place": ["street": "s", "number": number] as [String: Any],
                    ])
                document.setValue(root, forKey: "parent")
                document.setValue(NSSet(array: Array(tags.prefix(number % 4))), forKey: "tags")
                document.setValue(NSOrderedSet(array: people), forKey: "authors")
                document.setValue(tags[number % 3], forKey: "origin")
                if number < 3 { _ = make("Cover", ["title": "cover \(number)", "document": document]) }
            }
            try context.save()
        }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        if hasExternalFiles { try moveOut(url) }
    }

    /// Moves the pictures into files, as Apple's framework does with large ones.
    private static func moveOut(_ url: URL) throws {
        let external = url.deletingLastPathComponent()
            .appendingPathComponent(".\(url.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: external, withIntermediateDirectories: true)
        let database = try Database(url)
        for row in try database.rows("SELECT Z_PK, hex(ZPICTURE) FROM ZTHING WHERE ZPICTURE NOT NULL") {
            guard let key = row[0] else { continue }
            let name = UUID().uuidString
            try Data("picture \(key)".utf8).write(to: external.appendingPathComponent(name))
            try database.execute("UPDATE ZTHING SET ZPICTURE = \(HostileValues.externalName(name)) WHERE Z_PK = \(key)")
        }
    }
}

import OpenCoreData
import TestSupport
import Testing

/// A model with every type of attribute, every kind of relationship and three levels of entities, as the XML that both this library and the
/// independent checker read.
enum Atlas {
    static let xml = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="atlas 1">
            <composite name="Point">
                <attribute name="x" optional="YES" attributeType="Double"/>
                <attribute name="y" optional="YES" attributeType="Double"/>
            </composite>
            <composite name="Place">
                <attribute name="street" optional="YES" attributeType="String"/>
                <attribute name="number" optional="YES" attributeType="Integer 32"/>
                <attribute name="point" optional="YES" attributeType="Composite" composite="Point"/>
            </composite>
            <entity name="Thing" isAbstract="YES">
                <attribute name="name" attributeType="String"/>
                <attribute name="created" attributeType="Date"/>
                <relationship name="parent" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Folder" inverseName="children" inverseEntity="Folder"/>
                <relationship name="mainOf" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Document" inverseName="main" inverseEntity="Document"/>
                <fetchIndex name="byName">
                    <fetchIndexElement property="name" type="Binary" order="ascending"/>
                    <fetchIndexElement property="created" type="Binary" order="descending"/>
                </fetchIndex>
            </entity>
            <entity name="Folder" parentEntity="Thing">
                <relationship name="children" optional="YES" toMany="YES" deletionRule="Cascade" ordered="YES" destinationEntity="Thing" inverseName="parent" inverseEntity="Thing"/>
            </entity>
            <entity name="Document" parentEntity="Thing">
                <attribute name="int16" optional="YES" attributeType="Integer 16"/>
                <attribute name="int32" optional="YES" attributeType="Integer 32"/>
                <attribute name="int64" optional="YES" attributeType="Integer 64"/>
                <attribute name="flag" optional="YES" attributeType="Boolean"/>
                <attribute name="double" optional="YES" attributeType="Double"/>
                <attribute name="float" optional="YES" attributeType="Float"/>
                <attribute name="decimal" optional="YES" attributeType="Decimal"/>
                <attribute name="text" optional="YES" attributeType="String"/>
                <attribute name="date" optional="YES" attributeType="Date"/>
                <attribute name="data" optional="YES" attributeType="Binary"/>
                <attribute name="picture" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                <attribute name="uuid" optional="YES" attributeType="UUID"/>
                <attribute name="uri" optional="YES" attributeType="URI"/>
                <attribute name="color" optional="YES" attributeType="Transformable" valueTransformerName="AtlasColorTransformer"/>
                <attribute name="archive" optional="YES" attributeType="Transformable"/>
                <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
                <attribute name="note" optional="YES" attributeType="String" transient="YES" defaultValueString="none"/>
                <attribute name="stars" attributeType="Integer 16" defaultValueString="3"/>
                <relationship name="main" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Thing" inverseName="mainOf" inverseEntity="Thing"/>
                <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag" inverseName="documents" inverseEntity="Tag"/>
                <relationship name="authors" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES" destinationEntity="Person" inverseName="works" inverseEntity="Person"/>
                <relationship name="origin" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Tag"/>
                <relationship name="cover" optional="YES" maxCount="1" deletionRule="Cascade" destinationEntity="Cover" inverseName="document" inverseEntity="Cover"/>
            </entity>
            <entity name="Report" parentEntity="Document">
                <attribute name="pages" attributeType="Integer 32" defaultValueString="1"/>
            </entity>
            <entity name="Cover">
                <attribute name="title" optional="YES" attributeType="String"/>
                <relationship name="document" maxCount="1" minCount="1" deletionRule="Nullify" destinationEntity="Document" inverseName="cover" inverseEntity="Document"/>
            </entity>
            <entity name="Tag">
                <attribute name="label" attributeType="String"/>
                <relationship name="documents" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Document" inverseName="tags" inverseEntity="Document"/>
                <relationship name="examples" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Document"/>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="label"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            <entity name="Person">
                <attribute name="name" attributeType="String"/>
                <relationship name="works" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES" destinationEntity="Document" inverseName="authors" inverseEntity="Document"/>
                <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Person" inverseName="friends" inverseEntity="Person"/>
                <relationship name="mentors" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Person" inverseName="students" inverseEntity="Person"/>
                <relationship name="students" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Person" inverseName="mentors" inverseEntity="Person"/>
                <relationship name="partner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Person" inverseName="partner" inverseEntity="Person"/>
            </entity>
        </model>
        """

    /// Writes the model's file and gives the folder to read it from.
    static func write(to folder: TemporaryFolder) throws -> URL {
        try folder.write(xml, to: "Atlas.xcdatamodel/contents").deletingLastPathComponent()
    }

    static func model(at url: URL, rawTransformables: Bool = false) throws -> NSManagedObjectModel {
        IdentityTransformer.register
        ColorTransformer.register
        let model = try NSManagedObjectModel(readingModelAt: url)
        for attribute in model.entities.flatMap(\.attributesByName.values)
        where attribute.type == .transformable && rawTransformables {
            attribute.valueTransformerName = IdentityTransformer.name
        }
        return model
    }

    /// A value of a class of its own, in a transformable attribute.
    struct Color: Equatable {
        var red: UInt8
        var green: UInt8
        var blue: UInt8
    }

    // @unchecked Sendable: it has no state.
    private final class ColorTransformer: ValueTransformer, @unchecked Sendable {
        static let register: Void = ValueTransformer.setValueTransformer(
            ColorTransformer(), forName: NSValueTransformerName("AtlasColorTransformer"))

        override class func allowsReverseTransformation() -> Bool { true }
        override func transformedValue(_ value: Any?) -> Any? { (value as? Color).map { Data([$0.red, $0.green, $0.blue]) } }
        override func reverseTransformedValue(_ value: Any?) -> Any? {
            guard let data = value as? Data, data.count == 3 else { return nil }
            return Color(red: data[data.startIndex], green: data[data.startIndex + 1], blue: data[data.startIndex + 2])
        }
    }
}

/// A new store of the atlas in a folder of its own.
struct AtlasStore {
    let folder: TemporaryFolder
    let url: URL
    let source: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("Atlas.sqlite")
        source = try Atlas.write(to: folder)
    }

    func open(rawTransformables: Bool = false) throws -> StoreSession {
        try StoreSession(url, Atlas.model(at: source, rawTransformables: rawTransformables))
    }

    /// Runs on a context of the store's, then closes it.
    func run(_ body: @escaping (NSManagedObjectContext) throws -> Void) throws {
        let session = try open()
        try session.context.run(body)
        try session.close()
    }

    /// What an independent reader finds, after comparing it with what the library finds and having the file checked.
    @discardableResult
    func check(at location: SourceLocation = #_sourceLocation) throws -> StoreContents {
        var oracle = StoreOracle(["--model", source.path])
        oracle.schema(url)
        oracle.verify(url)
        let session = try open(rawTransformables: true)
        let dumped = try StoreContents(oracle.dump(url, at: location), session.model)
        expectSame(try session.contents(), dumped, at: location)
        try session.close()
        return dumped
    }

    /// Moves the picture of the document with a name into a file, as Apple's framework does with large ones.
    func moveOut(_ data: Data, key name: String) throws {
        let file = UUID().uuidString
        let folder = folder.file(".Atlas_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: folder.appendingPathComponent(file))
        let mark = "x'02" + Data(file.utf8).map { String(format: "%02x", $0) }.joined() + "00'"
        try Python.sql(["UPDATE ZTHING SET ZPICTURE = \(mark) WHERE ZNAME = '\(name)'"], in: url)
    }

    /// The files of external data.
    func externalFiles() throws -> [String] {
        let folder = folder.file(".Atlas_SUPPORT/_EXTERNAL_DATA")
        return FileManager.default.fileExists(atPath: folder.path)
            ? try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() : []
    }
}

extension NSManagedObjectContext {
    /// A new object with these values. Things get a name and a date.
    func make(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        if object.entity.attributesByName["name"] != nil { object.setValue("unnamed", forKey: "name") }
        if object.entity.attributesByName["created"] != nil {
            object.setValue(Date(timeIntervalSinceReferenceDate: 0), forKey: "created")
        }
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    /// The only object whose name or label is this.
    func find(_ entity: String, _ name: String) throws -> NSManagedObject {
        let found = try fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).filter {
            $0.value(forKey: $0.entity.attributesByName["name"] == nil ? "label" : "name") as? String == name
        }
        try #require(found.count == 1, "\(entity) \(name)")
        return found[0]
    }
}

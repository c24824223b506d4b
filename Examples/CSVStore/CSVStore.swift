import Foundation
import OpenCoreData

/// A store that is a folder of CSV files: one file per entity, which people, spreadsheets and version control can read.
///
/// ```swift
/// CSVStore.register()
/// let description = NSPersistentStoreDescription(url: folder)
/// description.type = CSVStore.storeType
/// container.persistentStoreDescriptions = [description]
/// ```
///
/// The file `Movie.csv` has the objects of the entity `Movie`, those of subentities are in files of their own. Its
/// first line names the columns: `objectID`, and properties in any order. An `objectID` is a text that no other object
/// of the entity's family has; `;` can't be in it. A to-one relationship has the `objectID` of its destination, a
/// to-many one the `objectID`s of its members with `;` between them. Where the other end of a relationship is to-one,
/// that end alone has a column, unless the members have an order; of two to-many ends the one whose name comes first in
/// the alphabet has one, and an ordered one.
///
/// A field that is empty is nil, and `""` is the empty text. Numbers, dates and bytes are written as `CSVValue` says.
/// Transformable attributes can't be kept.
///
/// A faulty file is never overwritten: the store is not opened, and a ``CSVError`` says what is wrong in which line.
public final class CSVStore: NSAtomicStore, @unchecked Sendable {
    // @unchecked Sendable: everything is used under the store's lock, as the superclass says.

    /// The type to add such a store by.
    public static let storeType = "CSV"

    /// Makes the type known. To be called before a store is added.
    public static func register() { NSPersistentStoreCoordinator.registerStoreClass(CSVStore.self, forStoreType: storeType) }

    public override var type: String { CSVStore.storeType }

    /// What is in the files now: those that have not changed are not written.
    private var contents: [String: Data] = [:]

    private var entities: [NSEntityDescription] {
        let model = persistentStoreCoordinator?.managedObjectModel
        let all = model?.entities(forConfigurationName: configurationName) ?? model?.entities ?? []
        return all.filter { !$0.isAbstract }.sorted { $0.columnFileName < $1.columnFileName }
    }

    // MARK: Metadata

    private static let metadataFile = "metadata.plist"

    public override func loadMetadata() throws {
        guard let url, let data = try Self.contents(of: url.appendingPathComponent(Self.metadataFile)) else {
            return try super.loadMetadata()
        }
        metadata = try Self.metadata(data)
    }

    private static func metadata(_ data: Data) throws -> [String: Any] {
        guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any] else {
            throw CSVError(file: metadataFile, line: 1, reason: "it is not a property list")
        }
        return list
    }

    /// The metadata of a folder that need not be open.
    public override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try metadata(Data(contentsOf: url.appendingPathComponent(metadataFile)))
    }

    /// Nil for a file that does not exist.
    private static func contents(of url: URL) throws -> Data? {
        do { return try Data(contentsOf: url) } catch CocoaError.fileReadNoSuchFile { return nil }
    }

    // MARK: Loading

    public override func load() throws {
        var tables: [CSVEntityTable] = []
        for entity in entities {
            for attribute in entity.attributesByName.values
            where !attribute.isTransient && !CSVValue.canHold(attribute.attributeType) {
                throw CSVError(
                    file: entity.columnFileName, line: 1, reason: "“\(attribute.name)” is of a type that CSV files can't hold")
            }
            guard let url, let data = try Self.contents(of: url.appendingPathComponent(entity.columnFileName)) else { continue }
            contents[entity.columnFileName] = data
            tables.append(try CSVEntityTable(entity, CSVTable(file: entity.columnFileName, data)))
        }
        var nodes: [String: [String: NSAtomicStoreCacheNode]] = [:]
        for table in tables {
            for (id, line) in table.ids {
                let node = NSAtomicStoreCacheNode(objectID: objectID(for: table.entity, withReferenceObject: id))
                guard nodes[table.entity.family, default: [:]].updateValue(node, forKey: id) == nil else {
                    throw CSVError(file: table.file, line: line, reason: "the id “\(id)” is there twice")
                }
            }
        }
        for table in tables {
            try table.fill { entity, id in nodes[entity.family]?[id] }
        }
        addCacheNodes(Set(nodes.values.flatMap(\.values)))
    }

    // MARK: Saving

    public override func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID().uuidString }

    /// Writes the files that have changed. All are written beside the old ones before the first takes an old one's
    /// place.
    public override func save() throws {
        guard let url else { return }
        var files = try changedFiles()
        files[Self.metadataFile] = try PropertyListSerialization.data(
            fromPropertyList: (metadata ?? [:]) as NSDictionary, format: .xml, options: 0)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let written = files.keys.sorted().map {
            (file: url.appendingPathComponent($0), new: url.appendingPathComponent("." + $0 + ".new"))
        }
        do {
            for (file, new) in written { try files[file.lastPathComponent]?.write(to: new) }
            for (file, new) in written { try Self.replace(file, with: new) }
        } catch {
            for (_, new) in written { try? FileManager.default.removeItem(at: new) }
            throw error
        }
        for (name, data) in files { contents[name] = data }
    }

    private func changedFiles() throws -> [String: Data] {
        let byEntity = Dictionary(grouping: cacheNodes()) { $0.objectID.entity.columnFileName }
        var files: [String: Data] = [:]
        for entity in entities {
            let nodes = byEntity[entity.columnFileName] ?? []
            let data = try CSVEntityTable.written(entity, nodes) { "\(self.referenceObject(for: $0.objectID))" }.data
            if contents[entity.columnFileName] != data { files[entity.columnFileName] = data }
        }
        return files
    }

    private static func replace(_ file: URL, with new: URL) throws {
        guard rename(new.path, file.path) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
        }
    }
}

extension NSEntityDescription {
    var columnFileName: String { (name ?? "") + ".csv" }

    /// The name of the root of the family, in which ids are unique.
    var family: String {
        var root = self
        while let parent = root.superentity { root = parent }
        return root.name ?? ""
    }
}

import DataModel
import Foundation
import Storage

/// A built-in atomic store: an XML file in the format of Apple's framework, or a binary one.
///
/// The reference object of an object is its number, which no other object of the store has.
// @unchecked Sendable: everything is used under the store's lock, as the superclass says.
final class AtomicFileStore: NSAtomicStore, @unchecked Sendable {
    private var highestNumber = AtomicContent.firstNumber
    /// The file as this store read or wrote it last; nil if there was none.
    private var stamp: AtomicFile.Stamp?
    /// Where that was. Another URL is where the next save goes.
    private var place: URL?
    /// Read with the metadata, and used up by `load`.
    private var data: Data?

    private func format() throws -> any AtomicFormat {
        if let format = (kind as? RegisteredStoreKind)?.format { return format }
        throw StoreKinds.unsupported("A file can't be opened", type: type, reason: "the type has no format of files")
    }

    private func file() throws -> AtomicFile { try AtomicFile(url, type: type) }

    // MARK: Opening

    override func loadMetadata() throws {
        let file = try file()
        try file.requireFolder()
        (stamp, place) = (file.stamp, url)
        if isReadOnly, stamp == nil { _ = try file.requireContents() }
        data = try file.contents()
        guard let data else { return try super.loadMetadata() }
        var values = try file.reading { try format().metadata(in: data) }
        values[StoreMetadata.typeKey] = type
        metadata = values
    }

    override func load() throws {
        guard let model = persistentStoreCoordinator?.runtime.layout else { return }
        let (file, format) = try (file(), format())
        try requireTypes(model, format)
        defer { data = nil }
        guard let data else { return }
        let content = try file.reading {
            let content = try format.content(of: data, model: model)
            try content.requireSound(model, holds: holds)
            return content
        }
        highestNumber = content.highestNumber
        addCacheNodes(nodes(of: content))
    }

    private func requireTypes(_ model: ModelLayout, _ format: any AtomicFormat) throws {
        let entities = model.entities.filter { holds($0.name) }
        for entity in entities {
            guard let slot = entity.fileSlots.first(where: { entity.kind($0) == .object }) else { continue }
            throw StoreKinds.unsupported(
                "“\(entity.slots[slot].name)” of “\(entity.name)” can't be kept", type: type,
                reason: "no file can hold a value of its type")
        }
        do { try format.requireModel(model, entities: entities) } catch let failure as AtomicFailure {
            throw StoreKinds.unsupported("The model can't be used", type: type, reason: failure.reason)
        }
    }

    private func nodes(of content: AtomicContent) -> Set<NSAtomicStoreCacheNode> {
        var nodes: [Int64: NSAtomicStoreCacheNode] = [:]
        nodes.reserveCapacity(content.objects.count)
        for object in content.objects {
            let id = objectID(for: object.entity.description, withReferenceObject: object.number)
            nodes[object.number] = NSAtomicStoreCacheNode(objectID: id)
        }
        for object in content.objects {
            guard let node = nodes[object.number] else { continue }
            for (slot, value) in object.values.enumerated() {
                if let value { node.setValue(value, forKey: object.entity.slots[slot].name) }
            }
            for relationship in object.entity.relationships {
                let members = object.links[relationship.index].compactMap { nodes[$0] }
                guard !members.isEmpty else { continue }
                let value: Any = relationship.isOrdered ? members as Any : Set(members)
                node.setValue(relationship.isToMany ? value : members[0], forKey: relationship.name)
            }
        }
        return Set(nodes.values)
    }

    // MARK: Saving

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        highestNumber += 1
        return NSNumber(value: highestNumber)
    }

    /// The values as they are in the row: no accessor of the program's takes part, and transformable values are bytes.
    override func setAttributes(of node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        guard let row = managedObject.row else { return }
        let entity = managedObject.layout
        for slot in entity.fileSlots { node.setValue(row.fileValue(slot), forKey: entity.slots[slot].name) }
    }

    /// Writes the file as a whole. The first save makes it.
    ///
    /// - Throws: 134030 if another program has changed the file meanwhile: that would be lost.
    override func save() throws {
        let (file, format) = try (file(), format())
        guard let model = persistentStoreCoordinator?.runtime.layout else { return }
        if url == place {
            guard file.stamp == stamp else {
                throw file.error(
                    NSPersistentStoreSaveError,
                    "can't be saved: the file was changed by others since this store read it. Remove the store and add it again")
            }
        } else if try file.contents() != nil {
            throw file.error(
                NSPersistentStoreSaveError, "can't be saved: there is a file of this name, which is not the store's own")
        }
        let data = try file.saving { try format.data(of: content(model), model: model) }
        try file.write(data)
        (stamp, place) = (file.stamp, url)
    }

    private func content(_ model: ModelLayout) throws -> AtomicContent {
        let nodes = cacheNodes()
        var numbers: [ObjectIdentifier: Int64] = [:]
        numbers.reserveCapacity(nodes.count)
        for node in nodes { numbers[ObjectIdentifier(node)] = number(of: node) }
        var content = AtomicContent(metadata: metadata ?? [:], highestNumber: highestNumber)
        content.objects = try nodes.compactMap { node in
            guard let number = numbers[ObjectIdentifier(node)], let entity = model.entity(named: node.objectID.entity.name ?? "")
            else { return nil }
            var object = AtomicObject(number: number, entity: entity)
            for slot in entity.fileSlots { object.values[slot] = node.value(forKey: entity.slots[slot].name) }
            for relationship in entity.relationships where relationship.storage != .transient {
                guard let value = node.value(forKey: relationship.name) else { continue }
                object.links[relationship.index] = try links(value, relationship, of: object, numbers)
            }
            return object
        }.sorted { $0.number < $1.number }
        return content
    }

    private func links(
        _ value: Any, _ relationship: RelationshipLayout, of object: AtomicObject, _ numbers: [ObjectIdentifier: Int64]
    ) throws -> [Int64] {
        let links = try (GivenValues.elements(value) ?? [value]).map { element in
            guard let node = element as? NSAtomicStoreCacheNode, let number = numbers[ObjectIdentifier(node)] else {
                throw AtomicFailure("“\(relationship.name)” of \(object.name) leads to an object that the store does not have")
            }
            return number
        }
        // Files that differ in nothing are the same.
        return relationship.isOrdered ? links : links.sorted()
    }

    private func number(of node: NSAtomicStoreCacheNode) -> Int64? {
        (referenceObject(for: node.objectID) as? NSNumber)?.int64Value
    }

    override func didClose() {
        super.didClose()
        data = nil
    }
}

extension Row {
    /// The value of a slot as the files of atomic stores have it.
    func fileValue(_ slot: Int) -> Any? {
        guard layout.kind(slot) == .transformable else { return SlotCoding.value(in: self, slot: slot, of: layout) }
        return isNil(slot) ? nil : Row.transformedData(slots, slot).map(StoredBytes.init)
    }
}

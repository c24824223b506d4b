import DataModel
package import Foundation
import ObjectGraph

/// Makes a store from what `StoreExport` has written.
///
/// All objects are in memory until the one save at the end, because required relationships may lead in circles.
@MainActor package enum StoreImport {
    /// - Returns: The number of objects.
    /// - Throws: An error that names the object and property. Nothing is left of the store then.
    package static func makeStore(at url: URL, from json: JSONValue) throws -> Int {
        guard case .object(let top) = json, top["format"] == .string(StoreExport.format), case .string(let text)? = top["model"],
            case .object(let entities)? = top["entities"]
        else { throw ToolError("the file was not written by coredata export") }
        let model = NSManagedObjectModel()
        let contents = text.hasPrefix("<") ? Data(text.utf8) : Data(base64Encoded: text) ?? Data()
        try model.read(contents, from: URL(fileURLWithPath: "/model.xcdatamodel/contents"))
        do {
            return try fill(url, model, entities)
        } catch {
            // The file did not exist before: `makeStore` is given a new place.
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
            throw error
        }
    }

    private static func fill(_ url: URL, _ model: NSManagedObjectModel, _ entities: [String: JSONValue]) throws -> Int {
        // The application's model makes the store; the one without classes fills it.
        let maker = NSPersistentStoreCoordinator(managedObjectModel: model)
        try maker.remove(maker.addPersistentStore(type: .sqlite, configuration: nil, at: url, options: nil))
        let raw = try OpenedStore.withoutClasses(model)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: raw)
        let store = try coordinator.addPersistentStore(
            type: .sqlite, configuration: nil, at: url, options: [NSIgnorePersistentStoreVersioningOption: true])
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        var objects: [String: NSManagedObject] = [:]
        var rows: [(object: NSManagedObject, name: String, members: [String: JSONValue])] = []
        for (name, list) in entities.sorted(by: { $0.key < $1.key }) {
            let entity = try ModelNames.entity(name, in: raw)
            guard case .array(let list) = list, !entity.isAbstract || list.isEmpty else {
                throw ToolError("“\(TextWidth.shown(name))” is not a list of objects")
            }
            for row in list {
                guard case .object(let members) = row, case .string(let id)? = members["$id"], objects[id] == nil else {
                    throw ToolError("an object of “\(TextWidth.shown(name))” has no $id of its own")
                }
                let object = NSManagedObject(entity: entity, insertInto: context)
                objects[id] = object
                rows.append((object, TextWidth.shown(id, limit: 80), members))
            }
        }
        try context.obtainPermanentIDs(for: rows.map(\.object))
        for row in rows { try set(row.members, of: row.object, row.name, objects) }
        try context.save()
        try coordinator.remove(store)
        return rows.count
    }

    private static func set(
        _ members: [String: JSONValue], of object: NSManagedObject, _ name: String, _ objects: [String: NSManagedObject]
    ) throws {
        for (key, value) in members.sorted(by: { $0.key < $1.key }) where key != "$id" {
            guard let property = object.entity.propertiesByName[key] else {
                throw ToolError("\(name): the entity has no property “\(TextWidth.shown(key, limit: 60))”")
            }
            if let attribute = property as? NSAttributeDescription {
                // The store computes these.
                if attribute is NSDerivedAttributeDescription { continue }
                object.setValue(try ImportedValue.value(value, attribute, "\(name).\(key)"), forKey: key)
                continue
            }
            guard let relationship = property as? NSRelationshipDescription else {
                throw ToolError("\(name).\(key) has no value of its own")
            }
            func destination(_ value: JSONValue) throws -> NSManagedObject {
                guard case .string(let id) = value, let destination = objects[id] else {
                    throw ToolError("\(name).\(key) leads to \(TextWidth.shown(value.line, limit: 80)), which is not there")
                }
                guard let expected = relationship.destinationEntity, destination.entity.isKindOf(entity: expected) else {
                    throw ToolError("\(name).\(key) leads to \(TextWidth.shown(id, limit: 80)), which is of another entity")
                }
                return destination
            }
            guard relationship.isToMany else {
                if value != .null { object.setValue(try destination(value), forKey: key) }
                continue
            }
            guard case .array(let values) = value else { throw ToolError("\(name).\(key) is not a list") }
            let found = try values.map(destination)
            // The side that leads to one object says the same.
            if !relationship.isOrdered, relationship.inverseRelationship?.isToMany == false { continue }
            object.setValue(relationship.isOrdered ? NSOrderedSet(array: found) : NSSet(array: found), forKey: key)
        }
    }
}

package import DataModel
import Foundation
package import ObjectGraph
import Predicates

/// The keys of all objects of a store: 8 bytes for each, whatever the objects hold.
@MainActor package struct StoreKeys {
    /// Sorted, by the name of the entity.
    package private(set) var keys: [String: [Int64]] = [:]
    private var families: [String: [String]] = [:]

    package init(_ opened: OpenedStore) throws {
        for entity in opened.entities {
            let name = entity.name ?? ""
            var root = entity
            while let parent = root.superentity { root = parent }
            families[root.name ?? "", default: []].append(name)
            guard !entity.isAbstract else { continue }
            let request = NSFetchRequest<NSManagedObjectID>(entityName: name)
            request.resultType = .managedObjectIDResultType
            request.includesSubentities = false
            keys[name] = try opened.context.fetch(request).map(\.key).sorted()
        }
    }

    package var count: Int { keys.values.reduce(0) { $0 + $1.count } }

    /// `Movie/3` for the third movie in the order of keys; nil if there is no such object.
    ///
    /// The entity of an ID that comes from a relationship may be a parent of the object's own.
    package func number(of id: NSManagedObjectID) -> String? {
        var root = id.entity
        while let parent = root.superentity { root = parent }
        for name in [id.entity.name ?? ""] + (families[root.name ?? ""] ?? []) {
            if let place = Self.place(of: id.key, in: keys[name] ?? []) { return "\(name)/\(place + 1)" }
        }
        return nil
    }

    private static func place(of key: Int64, in keys: [Int64]) -> Int? {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low < keys.count && keys[low] == key ? low : nil
    }

    /// Calls `body` with the objects of an entity itself in the order of their keys, some hundreds in memory at a time.
    package func forEach(
        _ entity: NSEntityDescription, in opened: OpenedStore, _ body: (NSManagedObject) throws -> Void
    ) throws {
        guard let keys = keys[entity.name ?? ""] else { return }
        let toMany = entity.relationshipsByName.values.filter { $0.isToMany && !$0.isTransient }.map(\.name)
        for start in stride(from: 0, to: keys.count, by: Self.batch) {
            try readBatch(keys[start..<min(start + Self.batch, keys.count)], entity, toMany, opened, body)
            // What could not be read is told of at the end.
            if opened.context.readingFailures.isEmpty { opened.context.reset() }
        }
    }

    private static let batch = 500

    private func readBatch(
        _ keys: ArraySlice<Int64>, _ entity: NSEntityDescription, _ toMany: [String], _ opened: OpenedStore,
        _ body: (NSManagedObject) throws -> Void
    ) throws {
        let name = entity.name ?? ""
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.includesSubentities = false
        request.returnsObjectsAsFaults = false
        request.predicate = NSPredicate(format: "SELF IN %@", try keys.map { try opened.objectID("\(name)/p\($0)") })
        let objects = try opened.context.fetch(request).sorted { $0.objectID.key < $1.objectID.key }
        if !toMany.isEmpty { try opened.context.load(objects, relationships: toMany) }
        for object in objects { try body(object) }
    }
}

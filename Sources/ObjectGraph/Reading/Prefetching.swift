import DataModel
import Foundation
import Storage

/// The relationships to load for many objects at once: the steps of all paths form a tree, so that common parts of
/// paths are loaded once.
struct Prefetching {
    private var next: [(name: String, steps: Prefetching)] = []

    /// Each key is a level of the stack.
    private static let greatestKeyCount = 64

    init() {}

    /// - Throws: 134060 for a path that does not lead along relationships.
    init(_ paths: [String], from entity: EntityLayout, _ model: ModelLayout) throws {
        for path in paths {
            guard path.utf8.count(where: { $0 == UInt8(ascii: ".") }) < Self.greatestKeyCount else {
                throw NSError.coreData(
                    NSCoreDataError, "“\(path.prefix(100))…” can't be prefetched: it has more than \(Self.greatestKeyCount) keys")
            }
            try add(path[...], whole: path, entity, model)
        }
    }

    private mutating func add(_ path: Substring, whole: String, _ entity: EntityLayout, _ model: ModelLayout) throws {
        let name = String(path.prefix { $0 != "." })
        guard let relationship = Self.relationship(name, of: entity, model) else {
            let names = entity.names(entity.relationships.map(\.name), insteadOf: name)
            throw NSError.coreData(
                NSCoreDataError,
                "“\(whole)” can't be prefetched: “\(entity.name)” has no relationship “\(name)”. \(names)")
        }
        let index: Int
        if let known = next.firstIndex(where: { $0.name == name }) {
            index = known
        } else {
            index = next.count
            next.append((name, Prefetching()))
        }
        let rest = path.dropFirst(name.count + 1)
        guard !rest.isEmpty else { return }
        try next[index].steps.add(rest, whole: whole, model.entities[relationship.destination], model)
    }

    /// The relationship, which may be one of a subentity.
    private static func relationship(_ name: String, of entity: EntityLayout, _ model: ModelLayout) -> RelationshipLayout? {
        model.family(of: entity.index).lazy.compactMap { model.entities[$0].relationship(named: name) }.first
    }

    // MARK: Loading

    func run(_ objects: [NSManagedObject], in context: NSManagedObjectContext) throws {
        guard !next.isEmpty, !objects.isEmpty else { return }
        for (name, steps) in next {
            var step = PrefetchStep(context)
            // Most objects have one layout, so a name is looked up once.
            var last: (layout: EntityLayout, relationship: RelationshipLayout?)?
            for object in objects where !object.isDeleted {
                let layout = object.layout
                if last?.layout !== layout { last = (layout, layout.relationship(named: name)) }
                if let relationship = last?.relationship { step.add(object, relationship) }
            }
            try steps.run(try step.load(), in: context)
        }
    }
}

/// One step of a path: the same relationship of many objects.
private struct PrefetchStep {
    /// The objects of one query to a store.
    private struct Owners {
        let relationship: RelationshipLayout
        let store: NSPersistentStore
        var objects: [NSManagedObject] = []
    }

    private struct Place: Hashable {
        let relationship: Int
        let store: ObjectIdentifier
    }

    private let context: NSManagedObjectContext
    private var owners: [Place: Owners] = [:]
    private var destinations: [NSManagedObject] = []

    init(_ context: NSManagedObjectContext) { self.context = context }

    mutating func add(_ object: NSManagedObject, _ relationship: RelationshipLayout) {
        if !relationship.isToMany {
            if let destination = destination(of: object, relationship) { note(destination) }
        } else if object.hasFault(forRelationshipNamed: relationship.name), let store = object.registry.store?.store {
            let place = Place(relationship: relationship.id, store: ObjectIdentifier(store))
            owners[place, default: Owners(relationship: relationship, store: store)].objects.append(object)
        } else {
            object.toMany(relationship).objects.forEach { note($0) }
        }
    }

    private mutating func note(_ object: NSManagedObject) {
        guard !object._state.contains(.foundByPrefetch) else { return }
        object._state.insert(.foundByPrefetch)
        destinations.append(object)
    }

    /// A fault that has its row stays a fault. It keeps the destination, because nothing else may hold it.
    private func destination(of object: NSManagedObject, _ relationship: RelationshipLayout) -> NSManagedObject? {
        guard object.isFault, let row = object.row, object._state.isDisjoint(with: [.inserted, .updated]) else {
            return object.toOne(relationship)
        }
        if let known = object.links?[relationship.index] { return unsafeDowncast(known, to: NSManagedObject.self) }
        guard !row.isNil(relationship.slot) else { return nil }
        let entity = object.destinationEntity(of: relationship, in: row)
        let found = object.findDestination(entity: entity, key: row.integer(relationship.slot))
        object.setLink(relationship.index, found)
        return found
    }

    /// - Returns: The destinations of all objects, with their values.
    mutating func load() throws -> [NSManagedObject] {
        defer { for object in destinations { object._state.remove(.foundByPrefetch) } }
        for owners in owners.values { try skippingFailures { try load(owners) } }
        try skippingFailures { try loadValues() }
        return destinations
    }

    /// If accessors don't stop the program, each relationship and object that was not loaded reports the failure when
    /// it is read. Otherwise the fetch reports it.
    private func skippingFailures(_ body: () throws -> Void) throws {
        do { try body() } catch {
            guard context.readingFailurePolicy == .record else { throw error }
        }
    }

    private mutating func load(_ owners: Owners) throws {
        guard let reference = owners.objects[0].registry.store else { return }
        let consumer = MembersConsumer(context, context.registries(reference), of: owners.relationship)
        try owners.store.fetchMembers(
            of: owners.relationship, owners: owners.objects.map(\.key), into: consumer, in: context.generationToRead,
            for: context)
        let members = consumer.membersByOwner()
        for object in owners.objects {
            guard let relationship = object.layout.relationship(id: owners.relationship.id) else { continue }
            let found = (members[object.key] ?? []).filter { context.isListed($0, relationship) }
            object.toMany(relationship).adopt(found)
            object.toMany(relationship).objects.forEach { note($0) }
        }
    }

    private func loadValues() throws {
        var missing: [Place: (store: NSPersistentStore, reference: StoreReference, root: Int, keys: [Int64])] = [:]
        for object in destinations where object.isFault && object.row == nil && object.key > 0 {
            guard let reference = object.registry.store, let store = reference.store else { continue }
            let place = Place(relationship: object.layout.root, store: ObjectIdentifier(store))
            missing[place, default: (store, reference, object.layout.root, [])].keys.append(object.key)
        }
        for (store, reference, root, keys) in missing.values {
            let request = RowRequest(context.runtime.layout.entities[root], selection: .keys(keys))
            try store.fetch(
                request, into: FaultConsumer(context.registries(reference), wanted: nil), in: context.generationToRead,
                for: context)
        }
    }
}

/// Sorts the members that a store finds by their owners.
private final class MembersConsumer: MemberConsumer {
    private let objects: ObjectConsumer
    private var starts: [(owner: Int64, index: Int)] = []

    init(_ context: NSManagedObjectContext, _ registries: StoreRegistries, of relationship: RelationshipLayout) {
        objects = ObjectConsumer(
            context, registries, .init(confinesFailures: true, mayRepeat: relationship.storage != .oneToMany))
    }

    func beginMembers(of owner: Int64) { starts.append((owner, objects.count)) }
    func wantsValues(of key: RowKey) -> Bool { objects.wantsValues(of: key) }
    func take(_ row: Row, for key: RowKey) { objects.take(row, for: key) }
    func takeFault(_ key: RowKey) { objects.takeFault(key) }
    func takeFailure(_ error: any Error, for key: RowKey) throws { try objects.takeFailure(error, for: key) }

    /// Must be called when all members have come.
    func membersByOwner() -> [Int64: [NSManagedObject]] {
        let objects = objects.finish()
        var result: [Int64: [NSManagedObject]] = [:]
        for (position, start) in starts.enumerated() {
            let end = position + 1 < starts.count ? starts[position + 1].index : objects.count
            result[start.owner] = Array(objects[start.index..<end])
        }
        return result
    }
}

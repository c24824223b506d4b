import DataModel
import GraphTestSupport

/// What a context should contain after each step, worked out in the simplest way.
struct ReferenceGraph {
    struct Object {
        let entity: String
        var values: [String: String] = [:]
        var ones: [String: Int] = [:]
        var manys: [String: [Int]] = [:]
    }

    /// What one processing of changes reports.
    struct Event: Equatable {
        var inserted: Set<Int> = []
        var updated: Set<Int> = []
        var deleted: Set<Int> = []

        var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
    }

    enum SaveResult: Equatable {
        case saved(Event)
        /// The numbers of the validation errors.
        case failed(Set<Int>)
    }

    private(set) var objects: [Int: Object] = [:]
    /// The objects as last saved.
    private(set) var saved: [Int: Object] = [:]
    /// Deleted, and not saved since.
    private(set) var deleted: Set<Int> = []
    private var touched: Set<Int> = []
    private var event = Event()
    let schema: RandomSchema

    init(_ schema: RandomSchema) { self.schema = schema }

    var alive: [Int] { objects.keys.filter { !deleted.contains($0) }.sorted() }
    func alive(_ entity: String) -> [Int] { alive.filter { schema.isKind(objects[$0]?.entity ?? "", of: entity) } }
    func entity(_ id: Int) -> String { objects[id]?.entity ?? "" }
    func isNew(_ id: Int) -> Bool { saved[id] == nil }

    // MARK: The context's sets

    var inserted: Set<Int> { Set(alive.filter(isNew)) }
    var updated: Set<Int> { touched.filter { !isNew($0) && !deleted.contains($0) && objects[$0] != nil } }
    var deletedAndSavedBefore: Set<Int> { deleted.filter { !isNew($0) } }
    var isClean: Bool { inserted.isEmpty && updated.isEmpty && deletedAndSavedBefore.isEmpty }
    func isClean(_ id: Int) -> Bool { !isNew(id) && !touched.contains(id) && !deleted.contains(id) }

    // MARK: Changes

    mutating func insert(_ id: Int, _ entity: String) {
        objects[id] = Object(entity: entity, values: schema.defaults(of: entity))
        event.inserted.insert(id)
    }

    private mutating func touch(_ id: Int) {
        guard !deleted.contains(id) else { return }
        touched.insert(id)
        if !event.inserted.contains(id) { event.updated.insert(id) }
    }

    mutating func setValue(_ id: Int, _ name: String, _ value: String?) {
        objects[id]?.values[name] = value
        touch(id)
    }

    func one(_ id: Int, _ name: String) -> Int? { objects[id]?.ones[name] }
    func many(_ id: Int, _ name: String) -> [Int] { objects[id]?.manys[name] ?? [] }

    /// Takes the pair out of both sides.
    private mutating func unlink(_ id: Int, _ relationship: RandomSchema.Relationship, _ other: Int) {
        func remove(_ member: Int, from owner: Int, _ name: String, _ isMany: Bool) -> Bool {
            if isMany {
                guard objects[owner]?.manys[name]?.contains(member) == true else { return false }
                objects[owner]?.manys[name]?.removeAll { $0 == member }
            } else {
                guard objects[owner]?.ones[name] == member else { return false }
                objects[owner]?.ones[name] = nil
            }
            return true
        }
        if remove(other, from: id, relationship.name, relationship.isMany) { touch(id) }
        let back = schema.relationship(relationship.inverse, of: entity(other))
        if remove(id, from: other, back.name, back.isMany) { touch(other) }
    }

    /// Puts the pair into both sides, after taking away what is in the way on sides that hold one object.
    private mutating func link(_ id: Int, _ relationship: RandomSchema.Relationship, _ other: Int) {
        let back = schema.relationship(relationship.inverse, of: entity(other))
        if !relationship.isMany, let old = one(id, relationship.name), old != other { unlink(id, relationship, old) }
        if !back.isMany, let old = one(other, back.name), old != id { unlink(other, back, old) }
        func add(_ member: Int, to owner: Int, _ name: String, _ isMany: Bool) -> Bool {
            if isMany {
                guard !many(owner, name).contains(member) else { return false }
                objects[owner]?.manys[name, default: []].append(member)
            } else {
                guard one(owner, name) != member else { return false }
                objects[owner]?.ones[name] = member
            }
            return true
        }
        if add(other, to: id, relationship.name, relationship.isMany) { touch(id) }
        if add(id, to: other, back.name, back.isMany) { touch(other) }
    }

    mutating func setOne(_ id: Int, _ name: String, _ other: Int?) {
        let relationship = schema.relationship(name, of: entity(id))
        if let other { return link(id, relationship, other) }
        if let old = one(id, name) { unlink(id, relationship, old) }
    }

    mutating func setMany(_ id: Int, _ name: String, _ others: [Int]) {
        let relationship = schema.relationship(name, of: entity(id))
        for old in many(id, name) where !others.contains(old) { unlink(id, relationship, old) }
        for other in others where !many(id, name).contains(other) { link(id, relationship, other) }
        if relationship.isOrdered, many(id, name) != others {
            objects[id]?.manys[name] = others
            touch(id)
        }
    }

    mutating func delete(_ id: Int) {
        deleted.insert(id)
        event.deleted.insert(id)
    }

    // MARK: Processing and saving

    /// Applies delete rules, and reports nothing.
    mutating func propagate() {
        var queue = Array(event.deleted)
        while let id = queue.popLast() {
            for relationship in schema.relationships(of: entity(id)) where relationship.rule == .cascadeDeleteRule {
                for other in destinations(id, relationship) where !deleted.contains(other) {
                    delete(other)
                    queue.append(other)
                }
            }
        }
        for id in event.deleted {
            for relationship in schema.relationships(of: entity(id)) {
                // A denied delete changes nothing, unless nobody can deny it: the object was never saved.
                guard relationship.rule != .denyDeleteRule || isNew(id) else { continue }
                for other in destinations(id, relationship) where !deleted.contains(other) {
                    forget(id, in: other, relationship.inverse)
                }
            }
        }
    }

    mutating func process() -> Event {
        propagate()
        var result = Event()
        result.inserted = event.inserted.subtracting(deleted)
        result.updated = event.updated.subtracting(deleted)
        result.deleted = event.deleted.subtracting(event.inserted)
        event = Event()
        for id in deleted where isNew(id) {
            objects[id] = nil
            deleted.remove(id)
            touched.remove(id)
        }
        return result
    }

    private func destinations(_ id: Int, _ relationship: RandomSchema.Relationship) -> [Int] {
        relationship.isMany ? many(id, relationship.name) : one(id, relationship.name).map { [$0] } ?? []
    }

    private mutating func forget(_ id: Int, in other: Int, _ name: String) {
        if objects[other]?.ones[name] == id {
            objects[other]?.ones[name] = nil
        } else {
            objects[other]?.manys[name]?.removeAll { $0 == id }
        }
        touch(other)
    }

    /// To be called after `process()`.
    mutating func save() -> SaveResult {
        var errors: Set<Int> = []
        for id in deletedAndSavedBefore {
            for relationship in schema.relationships(of: entity(id)) where relationship.rule == .denyDeleteRule {
                if destinations(id, relationship).contains(where: { !deleted.contains($0) }) { errors.insert(1600) }
            }
        }
        for id in inserted.union(updated) {
            let required = schema.attributes(of: entity(id)).filter(\.isRequired)
            if required.contains(where: { objects[id]?.values[$0.name] == nil }) { errors.insert(1570) }
        }
        guard errors.isEmpty else { return .failed(errors) }
        let sets = Event(inserted: inserted, updated: updated, deleted: deletedAndSavedBefore)
        for id in deleted { objects[id] = nil }
        deleted = []
        touched = []
        saved = objects
        return .saved(sets)
    }

    /// The graph of a child that has just read everything from its parent, in which all changes were processed.
    func forChild() -> ReferenceGraph {
        var child = ReferenceGraph(schema)
        for (id, object) in objects where !deleted.contains(id) {
            var object = object
            // Where a deletion is denied, the other side lists the deleted object still.
            object.manys = object.manys.mapValues { $0.filter { !deleted.contains($0) } }
            object.ones = object.ones.filter { !deleted.contains($0.value) }
            child.objects[id] = object
        }
        child.saved = child.objects
        return child
    }

    /// Takes over what a child has pushed.
    ///
    /// - Parameters:
    ///   - child: The child after its save.
    ///   - sets: What it saved.
    /// - Returns: What the parent reports.
    mutating func take(_ child: ReferenceGraph, _ sets: Event) -> Event {
        for id in sets.inserted.union(sets.updated) {
            let old = objects[id]
            objects[id] = child.objects[id]
            for (name, members) in old?.manys ?? [:] {
                objects[id]?.manys[name, default: []] += members.filter(deleted.contains)
            }
            for (name, other) in old?.ones ?? [:] where deleted.contains(other) && objects[id]?.ones[name] == nil {
                objects[id]?.ones[name] = other
            }
        }
        event.inserted.formUnion(sets.inserted)
        for id in sets.updated { touch(id) }
        for id in sets.deleted {
            // What stays was taken away from it in the child.
            if var object = objects[id] {
                object.ones = object.ones.filter { child.objects[$0.value] == nil }
                object.manys = object.manys.mapValues { $0.filter { child.objects[$0] == nil } }
                objects[id] = object
            }
            delete(id)
        }
        return process()
    }

    mutating func rollback() {
        objects = saved
        deleted = []
        touched = []
        event = Event()
    }
}

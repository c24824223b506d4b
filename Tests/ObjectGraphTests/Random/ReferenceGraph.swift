import DataModel

/// What a context should contain after each step, worked out in the simplest way.
struct ReferenceGraph {
    struct Object {
        let entity: String
        var text: String?
        var number: Int?
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
    private var nextID = 1

    var alive: [Int] { objects.keys.filter { !deleted.contains($0) }.sorted() }
    func alive(_ entity: String) -> [Int] { alive.filter { LibrarySchema.isKind(objects[$0]?.entity ?? "", of: entity) } }
    func entity(_ id: Int) -> String { objects[id]?.entity ?? "" }
    func isNew(_ id: Int) -> Bool { saved[id] == nil }

    // MARK: The context's sets

    var inserted: Set<Int> { Set(alive.filter(isNew)) }
    var updated: Set<Int> { touched.filter { !isNew($0) && !deleted.contains($0) && objects[$0] != nil } }
    var deletedAndSavedBefore: Set<Int> { deleted.filter { !isNew($0) } }
    var isClean: Bool { inserted.isEmpty && updated.isEmpty && deletedAndSavedBefore.isEmpty }
    func isClean(_ id: Int) -> Bool { !isNew(id) && !touched.contains(id) && !deleted.contains(id) }

    // MARK: Changes

    mutating func insert(_ entity: String) -> Int {
        let id = nextID
        nextID += 1
        objects[id] = Object(entity: entity, number: 0)
        event.inserted.insert(id)
        return id
    }

    private mutating func touch(_ id: Int) {
        guard !deleted.contains(id) else { return }
        touched.insert(id)
        if !event.inserted.contains(id) { event.updated.insert(id) }
    }

    mutating func setText(_ id: Int, _ text: String?) {
        objects[id]?.text = text
        touch(id)
    }

    mutating func setNumber(_ id: Int, _ number: Int?) {
        objects[id]?.number = number
        touch(id)
    }

    func one(_ id: Int, _ name: String) -> Int? { objects[id]?.ones[name] }
    func many(_ id: Int, _ name: String) -> [Int] { objects[id]?.manys[name] ?? [] }

    /// Takes the pair out of both sides.
    private mutating func unlink(_ id: Int, _ relationship: LibrarySchema.Relationship, _ other: Int) {
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
        let back = LibrarySchema.relationship(relationship.inverse, of: entity(other))
        if remove(id, from: other, back.name, back.isMany) { touch(other) }
    }

    /// Puts the pair into both sides, after taking away what is in the way on sides that hold one object.
    private mutating func link(_ id: Int, _ relationship: LibrarySchema.Relationship, _ other: Int) {
        let back = LibrarySchema.relationship(relationship.inverse, of: entity(other))
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
        let relationship = LibrarySchema.relationship(name, of: entity(id))
        if let other { return link(id, relationship, other) }
        if let old = one(id, name) { unlink(id, relationship, old) }
    }

    mutating func setMany(_ id: Int, _ name: String, _ others: [Int]) {
        let relationship = LibrarySchema.relationship(name, of: entity(id))
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

    mutating func process() -> Event {
        var queue = Array(event.deleted)
        while let id = queue.popLast() {
            for relationship in LibrarySchema.relationships(of: entity(id)) where relationship.rule == .cascadeDeleteRule {
                for other in destinations(id, relationship) where !deleted.contains(other) {
                    delete(other)
                    queue.append(other)
                }
            }
        }
        for id in event.deleted {
            for relationship in LibrarySchema.relationships(of: entity(id)) {
                // A denied delete changes nothing, unless nobody can deny it: the object was never saved.
                guard relationship.rule != .denyDeleteRule || isNew(id) else { continue }
                for other in destinations(id, relationship) where !deleted.contains(other) {
                    forget(id, in: other, relationship.inverse)
                }
            }
        }
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

    private func destinations(_ id: Int, _ relationship: LibrarySchema.Relationship) -> [Int] {
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
        for id in deletedAndSavedBefore where LibrarySchema.isKind(entity(id), of: "Tag") {
            if many(id, "books").contains(where: { !deleted.contains($0) }) { errors.insert(1600) }
        }
        for id in inserted.union(updated) where entity(id) == "Passport" && objects[id]?.text == nil { errors.insert(1570) }
        guard errors.isEmpty else { return .failed(errors) }
        let sets = Event(inserted: inserted, updated: updated, deleted: deletedAndSavedBefore)
        for id in deleted { objects[id] = nil }
        deleted = []
        touched = []
        saved = objects
        return .saved(sets)
    }

    mutating func rollback() {
        objects = saved
        deleted = []
        touched = []
        event = Event()
    }
}

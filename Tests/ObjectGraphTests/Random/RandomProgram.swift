import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

/// Runs random operations on a context and on a reference graph, and compares the two. There may be children: then each level has a reference graph of its own.
///
/// Changes are made on one level at a time: the levels below it have none, and read everything anew before they are used again.
final class RandomProgram {
    private struct Level {
        let context: NSManagedObjectContext
        var reference: ReferenceGraph
        let log: NotificationLog
        /// Whether unsaved changes were put over fresh values in this event: then they are reported once more.
        var hasMerged = false
    }

    private struct Failure: Error {
        let reason: String
    }

    private let schema: RandomSchema
    private let stack: TestStack
    private let watch: SaveWatch
    private var levels: [Level]
    /// The level in use.
    private var current = 0
    private var random: SeededGenerator
    private let compareInterval: Int
    private var lastID = 0
    /// The objects' IDs as last heard of, and the permanent ones; new objects are held by the context.
    private var ids: [Int: NSManagedObjectID] = [:]
    private var permanentIDs: [Int: NSManagedObjectID] = [:]
    private var numbers: [NSManagedObjectID: Int] = [:]
    /// Some objects that the program holds.
    private var held: [NSManagedObject] = []
    private var steps: [String] = []

    /// - Parameter depth: How many children below each other there are.
    init(_ kind: StackKind, seed: UInt64, depth: Int = 0) throws {
        schema = RandomSchema.forSeed(seed)
        // Files that are read as a whole have neither composite nor derived attributes.
        let attributes = schema.model.entities.flatMap(\.attributesByName.values)
        let isPlain = attributes.allSatisfy { !($0 is NSDerivedAttributeDescription) && $0.type != .composite }
        stack = try TestStack(StackKind.atomicFiles.contains(kind) && !isPlain ? .inMemory : kind, schema.model)
        watch = try SaveWatch(stack)
        levels = [Level(context: stack.context, reference: ReferenceGraph(schema), log: NotificationLog(stack.context))]
        for _ in 0..<depth {
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = levels[levels.count - 1].context
            levels.append(Level(context: child, reference: ReferenceGraph(schema), log: NotificationLog(child)))
        }
        random = SeededGenerator(seed: seed)
        // Comparing loads everything, so programs that seldom do it work more with faults.
        compareInterval = [5, 20, 60][Int(seed % 3)]
    }

    private var context: NSManagedObjectContext { levels[current].context }
    private var log: NotificationLog { levels[current].log }
    private var reference: ReferenceGraph {
        get { levels[current].reference }
        _modify { yield &levels[current].reference }
    }
    private var hasMerged: Bool {
        get { levels[current].hasMerged }
        set { levels[current].hasMerged = newValue }
    }

    /// Runs a number of operations. On the first difference it stops.
    /// - Returns: nil, or what differs, with the last operations.
    func run(_ count: Int) throws -> String? {
        try onAllQueues(0) {
            do {
                for index in 0..<count {
                    steps.append("")
                    try step()
                    try checkCheaply()
                    if index % compareInterval == compareInterval - 1 { try compareAll() }
                }
                steps.append("end: ")
                try compareAll()
                while current < levels.count - 1 {
                    try goDown()
                    try compareAll()
                }
                current = 0
                context.rollback()
                reference.rollback()
                _ = log.take()
                try compareStore(stack)
                if stack.kind.isFile { try compareStore(try stack.reopened()) }
                return nil
            } catch let failure as Failure {
                return "level \(current): \(failure.reason)\n" + steps.suffix(60).joined(separator: "\n")
            }
        }
    }

    /// Runs on the queues of all contexts.
    private func onAllQueues(_ level: Int, _ body: () throws -> String?) throws -> String? {
        guard level < levels.count else { return try body() }
        // One thread at a time: the caller waits.
        nonisolated(unsafe) let program = self
        nonisolated(unsafe) let body = body
        return try levels[level].context.performAndWait { try program.onAllQueues(level + 1, body) }
    }

    // MARK: Choosing

    private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private func pick<T>(_ list: [T]) -> T? { list.randomElement(using: &random) }

    private func some(_ list: [Int], upTo most: Int = 4) -> [Int] {
        Array(list.shuffled(using: &random).prefix(Int.random(in: 0...most, using: &random)))
    }

    private func note(_ text: String) { steps[steps.count - 1] += text }

    private func object(_ id: Int) throws -> NSManagedObject {
        guard let objectID = ids[id] else { throw Failure(reason: "no ID for \(id)") }
        let object = context.object(with: objectID)
        guard !reference.isNew(id) || object.isInserted else { throw Failure(reason: "\(objectID) is not the new object \(id)") }
        return object
    }

    // MARK: Operations

    private func step() throws {
        if levels.count > 1, chance(8) { try changeLevel() }
        if current > 0 { note("\(String(repeating: ">", count: current)) ") }
        let alive = reference.alive
        if let id = pick(alive), chance(5) {
            held.append(try object(id))
            if held.count > 20 { held.removeFirst(10) }
        }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<(alive.count < 40 ? 14 : 3): try insert()
        case ..<26: try setAttribute()
        case ..<46: try setOne()
        case ..<66: try setMany()
        case ..<(alive.count < 40 ? 71 : 78): try delete()
        case ..<82:
            note("process")
            try process()
        case ..<90: try save()
        case ..<92: rollback()
        case ..<95: try refresh()
        case ..<96:
            note("refreshAllObjects")
            hasMerged = true
            context.refreshAllObjects()
        case ..<97: try obtainIDs()
        case ..<98:
            note("reset")
            held.removeAll()
            // Who has no children forgets old temporary IDs.
            ids.merge(permanentIDs) { $1 }
            context.reset()
            reference.rollback()
        default: try fetch()
        }
    }

    /// Goes to a level whose lower ones have no changes.
    private func changeLevel() throws {
        if current > 0, chance(50) {
            guard reference.isClean else { return }
            note("up ")
            try process()
            current -= 1
        } else if current < levels.count - 1 {
            note("down ")
            try goDown()
        }
    }

    private func goDown() throws {
        try process()
        let graph = reference.forChild()
        current += 1
        reference = graph
        context.refreshAllObjects()
        context.processPendingChanges()
        _ = log.take()
    }

    private func insert() throws {
        guard let entity = pick(schema.entities) else { return }
        lastID += 1
        let id = lastID
        reference.insert(id, entity)
        note("insert \(entity) \(id)")
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        register(id, object)
        for attribute in schema.attributes(of: entity) where attribute.isRequired && chance(90) {
            try set(id, attribute, attribute.isText ? "P\(id)" : "\(id)")
        }
    }

    private func register(_ id: Int, _ object: NSManagedObject) {
        ids[id] = object.objectID
        numbers[object.objectID] = id
        if !object.objectID.isTemporaryID { permanentIDs[id] = object.objectID }
    }

    private func setAttribute() throws {
        guard let id = pick(reference.alive), let attribute = pick(schema.attributes(of: reference.entity(id))) else { return }
        let mayBeNil = !attribute.isRequired || chance(20)
        let value: String? =
            chance(85) || !mayBeNil ? "\(attribute.isText ? "t" : "")\(Int.random(in: 0..<5, using: &random))" : nil
        try set(id, attribute, value)
    }

    private func set(_ id: Int, _ attribute: RandomSchema.Attribute, _ value: String?) throws {
        note("\(id).\(attribute.name) = \(value ?? "nil") ")
        try object(id).setValue(attribute.isText ? value : value.flatMap(Int.init), forKey: attribute.name)
        reference.setValue(id, attribute.name, value)
    }

    private func pickRelationship(isMany: Bool) -> (id: Int, relationship: RandomSchema.Relationship)? {
        guard let id = pick(reference.alive) else { return nil }
        return pick(schema.relationships(of: reference.entity(id)).filter { $0.isMany == isMany }).map { (id, $0) }
    }

    private func setOne() throws {
        guard let (id, relationship) = pickRelationship(isMany: false) else { return }
        let other = chance(80) ? pick(reference.alive(relationship.destination)) : nil
        note("\(id).\(relationship.name) = \(other.map(String.init) ?? "nil")")
        try object(id).setValue(try other.map(object), forKey: relationship.name)
        reference.setOne(id, relationship.name, other)
    }

    private func setMany() throws {
        guard let (id, relationship) = pickRelationship(isMany: true) else { return }
        let old = reference.many(id, relationship.name).filter { !reference.deleted.contains($0) }
        var new: [Int]
        switch Int.random(in: 0..<4, using: &random) {
        case 0: new = some(reference.alive(relationship.destination))
        case 1: new = old + some(reference.alive(relationship.destination), upTo: 2).filter { !old.contains($0) }
        case 2: new = old.filter { _ in chance(70) }
        default: new = old.shuffled(using: &random)
        }
        if chance(10) { new = [] }
        note("\(id).\(relationship.name) = \(new)")
        let objects = try new.map(object)
        let value: Any = relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
        try object(id).setValue(value, forKey: relationship.name)
        reference.setMany(id, relationship.name, new)
    }

    private func delete() throws {
        guard let id = pick(reference.alive) else { return }
        note("delete \(id)")
        context.delete(try object(id))
        reference.delete(id)
    }

    private func process() throws {
        _ = log.take()
        context.processPendingChanges()
        try compareEvent(reference.process())
    }

    private func rollback() {
        note("rollback")
        context.rollback()
        reference.rollback()
        _ = log.take()
    }

    private func refresh() throws {
        guard let id = pick(reference.alive) else { return }
        let keepsChanges = !reference.isClean(id) || chance(50)
        note("refresh \(id), mergeChanges: \(keepsChanges)")
        hasMerged = hasMerged || keepsChanges
        context.refresh(try object(id), mergeChanges: keepsChanges)
    }

    private func obtainIDs() throws {
        let new = reference.inserted.sorted().filter { _ in chance(50) }
        note("obtain IDs for \(new)")
        let objects = try new.map(object)
        try context.obtainPermanentIDs(for: objects)
        for (id, object) in zip(new, objects) { register(id, object) }
    }

    private func fetch() throws {
        guard let entity = pick(schema.entities) else { return }
        note("fetch \(entity)")
        _ = log.take()
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        if let attribute = pick(schema.attributes(of: entity)) {
            request.sortDescriptors = [NSSortDescriptor(key: attribute.name, ascending: chance(50))]
        }
        let found = try context.fetch(request)
        reference.propagate()
        // What is pending is told when it is processed.
        guard log.take().isEmpty else { throw Failure(reason: "the fetch of \(entity) posted a notification") }
        let foundIDs = found.compactMap { numbers[$0.objectID] }
        guard foundIDs.count == found.count, foundIDs.sorted() == reference.alive(entity) else {
            throw Failure(reason: "fetch of \(entity): \(foundIDs), not \(reference.alive(entity))")
        }
        let count = try context.count(for: request)
        guard count == found.count else { throw Failure(reason: "count of \(entity): \(count), not \(found.count)") }
    }

    private func save() throws {
        note("save")
        for level in levels { _ = level.log.take() }
        let event = reference.process()
        let new = try reference.inserted.sorted().map { ($0, try object($0)) }
        let unsaved = reference.updated.union(reference.inserted)
        let expected = reference.save()
        do {
            try context.save()
            for (id, object) in new { register(id, object) }
            guard case .saved(let sets) = expected else { throw Failure(reason: "the save should have failed: \(expected)") }
            let entries = log.take()
            try compare(entries.filter { $0.kind == "didChange" }, event, unsaved: unsaved)
            guard let saved = entries.first(where: { $0.kind == "didSave" }) else { throw Failure(reason: "no DidSave") }
            let given = ReferenceGraph.Event(
                inserted: numbers(saved.inserted), updated: numbers(saved.updated), deleted: numbers(saved.deleted))
            guard given == sets else { throw Failure(reason: "DidSave: \(given), not \(sets)") }
            guard watch.problems.isEmpty else { throw Failure(reason: "the file: \(watch.problems)") }
            if current > 0 { try comparePush(sets) } else if chance(30) { try compareStore(stack) }
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            note(" (failed: \(error.code))")
            let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
            guard case .failed(let codes) = expected, codes == Set(details.map(\.code)) else {
                throw Failure(reason: "the save failed: \(error.localizedDescription); expected: \(expected)")
            }
            try compare(log.take().filter { $0.kind == "didChange" }, event, unsaved: unsaved)
            if chance(50) {
                steps.append("")
                rollback()
            }
        }
    }

    /// What the level above reports of a save.
    private func comparePush(_ sets: ReferenceGraph.Event) throws {
        let pushed = reference
        current -= 1
        defer { current += 1 }
        try compareEvent(reference.take(pushed, sets))
    }

    // MARK: Comparing

    private func numbers(_ objects: Set<NSManagedObject>) -> Set<Int> { Set(objects.map { numbers[$0.objectID] ?? -1 }) }

    private func compareEvent(_ event: ReferenceGraph.Event) throws {
        try compare(log.take().filter { $0.kind == "didChange" }, event, unsaved: reference.updated.union(reference.inserted))
    }

    private func compare(_ entries: [NotificationLog.Entry], _ event: ReferenceGraph.Event, unsaved: Set<Int>) throws {
        guard entries.count <= 1 else { throw Failure(reason: "\(entries.count) notifications for one event") }
        var given = ReferenceGraph.Event(
            inserted: numbers(entries.first?.inserted ?? []), updated: numbers(entries.first?.updated ?? []),
            deleted: numbers(entries.first?.deleted ?? []))
        if hasMerged { given.updated.subtract(unsaved.subtracting(event.updated)) }
        hasMerged = false
        guard given == event else { throw Failure(reason: "ObjectsDidChange: \(given), not \(event)") }
    }

    /// Compares what can be compared without loading anything.
    private func checkCheaply() throws {
        for level in levels[...current] {
            let problems = GraphChecker.problems(of: level.context)
            guard problems.isEmpty else { throw Failure(reason: problems.joined(separator: "\n")) }
        }
        func expect(_ given: Set<NSManagedObject>, _ expected: Set<Int>, _ name: String) throws {
            guard numbers(given) == expected else {
                throw Failure(reason: "\(name): \(numbers(given).sorted()), not \(expected.sorted())")
            }
        }
        try expect(context.insertedObjects, reference.inserted, "insertedObjects")
        try expect(context.updatedObjects, reference.updated, "updatedObjects")
        try expect(context.deletedObjects, reference.deletedAndSavedBefore, "deletedObjects")
        guard context.hasChanges == !reference.isClean else { throw Failure(reason: "hasChanges is \(context.hasChanges)") }
    }

    private func compareAll() throws {
        for id in reference.alive {
            let object = try object(id)
            guard !object.isDeleted else { throw Failure(reason: "\(id) is deleted") }
            try compare(object, id, reference.objects)
        }
    }

    /// Compares the saved state with what another context reads.
    private func compareStore(_ stack: TestStack) throws {
        steps[steps.count - 1] += " (and compare the store)"
        let expected = reference.saved
        let coordinator = stack.coordinator
        let other = stack.newContext()
        nonisolated(unsafe) let program = self
        try other.performAndWait {
            let count = try program.schema.roots
                .reduce(0) { try $0 + other.count(for: NSFetchRequest<NSManagedObject>(entityName: $1)) }
            guard count == expected.count else { throw Failure(reason: "the store has \(count) objects, not \(expected.count)") }
            for id in expected.keys.sorted() {
                guard let url = program.permanentIDs[id]?.uriRepresentation(),
                    let objectID = coordinator.managedObjectID(forURIRepresentation: url)
                else { throw Failure(reason: "no ID for \(id) in the store") }
                try program.compare(try other.existingObject(with: objectID), id, expected)
            }
            let problems = GraphChecker.problems(of: other)
            guard problems.isEmpty else { throw Failure(reason: problems.joined(separator: "\n")) }
        }
    }

    private func compare(_ object: NSManagedObject, _ id: Int, _ objects: [Int: ReferenceGraph.Object]) throws {
        guard let expected = objects[id] else { return }
        func number(_ object: NSManagedObject?) -> Int? {
            // IDs of another coordinator are equal to these.
            object.map { numbers[$0.objectID] ?? -1 }
        }
        guard object.entity.name == expected.entity else { throw Failure(reason: "\(id) is a \(object.entity.name ?? "")") }
        for attribute in schema.attributes(of: expected.entity) {
            let value = object.value(forKey: attribute.name).map { "\($0)" }
            guard value == expected.values[attribute.name] else {
                throw Failure(
                    reason: "\(id).\(attribute.name) is \(value ?? "nil"), not \(expected.values[attribute.name] ?? "nil")")
            }
        }
        for relationship in schema.relationships(of: expected.entity) {
            let name = relationship.name
            if !relationship.isMany {
                let one = number(object.one(name))
                guard one == expected.ones[name] else {
                    throw Failure(
                        reason:
                            "\(id).\(name) is \(one.map(String.init) ?? "nil"), not \(expected.ones[name].map(String.init) ?? "nil")"
                    )
                }
            } else {
                let members = (relationship.isOrdered ? object.list(name) : Array(object.many(name))).compactMap(number)
                let wanted = expected.manys[name] ?? []
                guard relationship.isOrdered ? members == wanted : members.sorted() == wanted.sorted() else {
                    throw Failure(reason: "\(id).\(name) is \(members), not \(wanted)")
                }
            }
        }
    }
}

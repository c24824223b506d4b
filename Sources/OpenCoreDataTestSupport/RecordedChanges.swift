import Foundation
public import OpenCoreData

/// The changes that a block made to the objects of one class or entity; see
/// ``expectChanges(of:in:inserted:updated:deleted:_:)-(Object.Type,_,_,_,_,_)``.
///
/// The objects are those of the context: use them on its queue.
public struct RecordedChanges<Object: NSManagedObject>: CustomStringConvertible {
    /// Objects that are new since the beginning of the block.
    public internal(set) var inserted: Set<Object> = []
    /// Objects that existed before and have other values now, or were changed and changed back in another round.
    public internal(set) var updated: Set<Object> = []
    /// Objects that existed before and are deleted.
    public internal(set) var deleted: Set<Object> = []
    /// The number of rounds with such objects, that is how often an observer was called.
    public internal(set) var rounds = 0
    private var keys: [Object: Set<String>] = [:]

    /// Whether nothing changed.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// The names in the model of the properties of an updated object that changed.
    public func changedKeys(of object: Object) -> Set<String> { keys[object] ?? [] }

    /// The numbers, and the objects' IDs.
    public var description: String {
        let kinds = [("inserted", inserted), ("updated", updated), ("deleted", deleted)]
        return kinds.map { name, objects in
            let ids = objects.map { $0.objectID.uriRepresentation().absoluteString }.sorted()
            return ids.isEmpty ? "0 \(name)" : "\(ids.count) \(name) (\(ids.joined(separator: ", ")))"
        }.joined(separator: ", ")
    }

    /// Adds a round. An object that is inserted and deleted in the block is in none of the sets.
    mutating func add(_ changes: ManagedObjectChanges<Object>, where isWanted: (Object) -> Bool) {
        let (new, changed, gone) = (
            changes.inserted.filter(isWanted), changes.updated.filter(isWanted), changes.deleted.filter(isWanted)
        )
        guard !(new.isEmpty && changed.isEmpty && gone.isEmpty) else { return }
        rounds += 1
        for object in gone {
            keys[object] = nil
            updated.remove(object)
            if inserted.remove(object) == nil { deleted.insert(object) }
        }
        for object in new {
            if deleted.remove(object) == nil { inserted.insert(object) } else { updated.insert(object) }
        }
        for object in changed where !inserted.contains(object) {
            updated.insert(object)
            keys[object, default: []].formUnion(changes.changedKeys(of: object))
        }
    }
}

/// Runs a block, and returns its changes to the objects of a class, including those of subclasses.
///
/// ```swift
/// let changes = try expectChanges(of: Movie.self, in: context, updated: 1) { ran.rating = 8.2 }
/// #expect(changes.updated == [ran] && changes.changedKeys(of: ran) == ["rating"])
/// ```
///
/// Changes that were pending before don't count. Changes of the block count as observers are told of them, even if it
/// does not save. Changes that another context saved count if they are merged in the block. Call it on the context's
/// queue.
///
/// - Parameters:
///   - type: the class.
///   - context: the context.
///   - inserted: the expected number of inserted objects; nil for any number.
///   - updated: the expected number of updated objects; nil for any number.
///   - deleted: the expected number of deleted objects; nil for any number.
///   - body: the block to run.
/// - Returns: the changes.
/// - Throws: the error of the block, or a ``TestSupportError`` that names the expected and the real number of changed
///   objects.
@discardableResult
public func expectChanges<Object: NSManagedObject>(
    of type: Object.Type, in context: NSManagedObjectContext, inserted: Int? = nil, updated: Int? = nil, deleted: Int? = nil,
    _ body: () throws -> Void
) throws -> RecordedChanges<Object> {
    try recordChanges("\(type)", in: context, (inserted, updated, deleted), where: { _ in true }, body)
}

/// The same for an entity by its name, including its subentities. For entities without a class of their own.
@discardableResult
public func expectChanges(
    ofEntity name: String, in context: NSManagedObjectContext, inserted: Int? = nil, updated: Int? = nil, deleted: Int? = nil,
    _ body: () throws -> Void
) throws -> RecordedChanges<NSManagedObject> {
    let entity = try context.existingEntity(named: name)
    return try recordChanges(name, in: context, (inserted, updated, deleted), where: { $0.entity.isKindOf(entity: entity) }, body)
}

private func recordChanges<Object: NSManagedObject>(
    _ name: String, in context: NSManagedObjectContext, _ expected: (inserted: Int?, updated: Int?, deleted: Int?),
    where isWanted: @escaping (Object) -> Bool, _ body: () throws -> Void
) throws -> RecordedChanges<Object> {
    var recorded = RecordedChanges<Object>()
    context.processPendingChanges()
    let observation = context.observe(Object.self) { recorded.add($0, where: isWanted) }
    defer { observation.cancel() }
    try body()
    context.processPendingChanges()
    let counts = [
        ("inserted", expected.inserted, recorded.inserted.count), ("updated", expected.updated, recorded.updated.count),
        ("deleted", expected.deleted, recorded.deleted.count),
    ]
    let problems = counts.compactMap { kind, expected, count in
        expected.flatMap { $0 == count ? nil : "\(count) objects were \(kind), not \($0)" }
    }
    guard problems.isEmpty else {
        throw TestSupportError("\(name): \(problems.joined(separator: "; ")). All changes: \(recorded)")
    }
    return recorded
}

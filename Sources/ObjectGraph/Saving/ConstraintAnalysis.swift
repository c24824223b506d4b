import DataModel
import Foundation
import Storage

/// Finds objects of a save that have the same values of a uniqueness constraint as each other or as a row of the store.
///
/// A store reports one violation and stops. This type checks all objects of the save, so that one resolution is enough
/// for all.
struct ConstraintAnalysis {
    /// Values as a store compares them: it compares text byte by byte.
    private enum Value: Hashable {
        case integer(Int64)
        case real(Double)
        case bytes(Data)
    }

    private struct Key: Hashable {
        let constraint: Int
        let values: [Value]
    }

    private struct Group {
        let constraint: UniquenessConstraints.Constraint
        var objects: [NSManagedObject]
    }

    private let plan: SavePlan
    private let constraints: UniquenessConstraints

    init(_ plan: SavePlan) {
        self.plan = plan
        constraints = UniquenessConstraints(plan.model)
    }

    func conflicts() throws -> [NSConstraintConflict] {
        var groups: [Key: Group] = [:]
        var order: [Key] = []
        func add(_ object: NSManagedObject, onlyChanged: Bool) {
            for constraint in constraints[object.layout] {
                if onlyChanged {
                    let marked = object.markedSlots
                    guard constraint.slots.contains(where: marked.contains) else { continue }
                }
                guard let key = key(of: object, constraint) else { continue }
                if groups[key] == nil { order.append(key) }
                groups[key, default: Group(constraint: constraint, objects: [])].objects.append(object)
            }
        }
        for entity in plan.model.entities where !constraints[entity].isEmpty {
            for object in plan.inserted[entity.index] { add(object, onlyChanged: false) }
            for object in plan.reinserted where object.layout === entity { add(object, onlyChanged: false) }
            for object in plan.updated[entity.index] { add(object, onlyChanged: true) }
        }
        return try order.compactMap { key in try groups[key].flatMap { try conflict($0, key) } }
    }

    /// Nil if one of the values is nil: then the constraint does not count.
    private func key(of object: NSManagedObject, _ constraint: UniquenessConstraints.Constraint) -> Key? {
        guard let row = object.row else { return nil }
        let slots = row.slots
        var values: [Value] = []
        for slot in constraint.slots {
            guard !Row.isNil(slots, slot) else { return nil }
            switch object.layout.kind(slot) {
            case .integer, .toOne, .entityIndex: values.append(.integer(Int64(bitPattern: slots[slot])))
            case .real:
                let value = Double(bitPattern: slots[slot])
                // A store keeps it as NULL.
                guard !value.isNaN else { return nil }
                values.append(.real(value))
            case .decimal: values.append(.real(Row.storedDouble(slots, slot)))
            case .string, .uri: values.append(.bytes(Data(Row.string(slots, slot).utf8)))
            case .uuid: values.append(.bytes(withUnsafeBytes(of: Row.uuid(slots, slot).uuid) { Data($0) }))
            case .binary: values.append(.bytes(Row.data(slots, slot)))
            case .transformable, .object, .toMany, .vacant: return nil
            }
        }
        return Key(constraint: constraint.id, values: values)
    }

    private func conflict(_ group: Group, _ key: Key) throws -> NSConstraintConflict? {
        var objects = group.objects
        var existing: NSManagedObject?
        var snapshot: [String: Any]?
        if let found = try storedRow(group) {
            let context = plan.context
            let object = context.object(store: plan.store.reference, entity: found.key.entityIndex, key: found.key.key)
            if object.isFault, object.row == nil { object.takeRow(found.row) }
            // A row that this save deletes, or whose values it changes, is not in conflict.
            let leaves =
                object.isDeleted
                ? !object._state.contains(.deletedElsewhere)
                : object.isUpdated && self.key(of: object, sameAs: group.constraint) != key
            if !leaves {
                existing = object
                snapshot = object.snapshotValues(found.row)
                objects.removeAll { $0 === object }
            }
        }
        guard objects.count + (existing == nil ? 0 : 1) > 1 else { return nil }
        return NSConstraintConflict(
            constraint: group.constraint.names, database: existing, databaseSnapshot: snapshot, conflicting: objects,
            conflictingSnapshots: objects.map(\.snapshotOfCurrentValues))
    }

    /// The key for an object that may be of another entity of the family.
    private func key(of object: NSManagedObject, sameAs constraint: UniquenessConstraints.Constraint) -> Key? {
        constraints[object.layout].first { $0.id == constraint.id }.flatMap { key(of: object, $0) }
    }

    /// The row of the store that has the values.
    private func storedRow(_ group: Group) throws -> (key: RowKey, row: Row)? {
        guard let row = group.objects[0].row else { return nil }
        let layout = group.objects[0].layout
        // No row in the store points at an object that is not in the store yet.
        for slot in group.constraint.slots where layout.kind(slot) == .toOne && row.integer(slot) < 0 { return nil }
        let consumer = SingleRow()
        try plan.store.fetch(
            RowRequest(plan.model.entities[layout.root], selection: .matching(row, slots: group.constraint.slots)), into: consumer
        )
        return consumer.found
    }
}

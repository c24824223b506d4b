package import DataModel
import Foundation

/// The fixed property layout of one entity: which slot of a row holds which property, inherited ones included.
///
/// Slots are handed out in this order: the properties that the entity's typed class declares, in the class's order (superclass
/// first), so that its accessors can use literal slot numbers; then all others, parents' properties first; then the companions of
/// to-one relationships to entities with subentities.
package final class EntityLayout: Sendable {
    /// The entity's index in `ModelLayout.entities`.
    package let index: Int
    package let name: String
    package let description: NSEntityDescription
    package let isAbstract: Bool
    /// The distance from the root entity, and that root's index: the rows of a family share one table and one sequence of keys.
    package let depth: Int
    package let root: Int
    package let parent: Int?
    package let hasSubentities: Bool

    package let slots: [SlotLayout]
    package let relationships: [RelationshipLayout]
    /// The relationships that are not transient.
    package let storedRelationships: [RelationshipLayout]
    package let composites: [String: CompositeLayout]
    package let slotByName: [String: Int]
    /// The relationships' IDs, ascending, each with the local index. An entity has few of them, and a model may have very many.
    private let relationshipIDs: [(id: Int, index: Int)]

    package let slotCount: Int
    /// 64-bit words of a bit mask over the slots.
    package let maskWords: Int
    /// How many slots have a 16-byte cell in a draft.
    package let cellCount: Int
    /// The slots of variable kinds.
    package let variableSlots: [Int]
    /// The slots of binary attributes, whose values may be in files of their own.
    package let binarySlots: [Int]
    /// The slots whose nil is a validation error: required attributes and required to-one relationships.
    package let requiredSlots: [Int]
    /// The slots of attributes that no store keeps.
    package let transientSlots: [Int]
    /// The slots of transient attributes with a default value: a store gives none for them.
    package let transientDefaultSlots: [Int]
    /// A mask of `requiredSlots`, `maskWords` long.
    package let requiredMask: [UInt64]
    /// Distinguishes layouts in the caches of accessors that look a slot up by name.
    package let layoutID: UInt32

    private let table: SlotTable

    /// Byte offset, from the first slot, of a variable slot's cell in a draft; -1 for scalars.
    @inline(__always) package func cellOffset(_ slot: Int) -> Int { Int(table.cellOffsets[slot]) }
    @inline(__always) package func kind(_ slot: Int) -> SlotKind { table.kinds[slot] }

    /// The index in `relationships` of the relationship in a slot; -1 where there is none.
    @inline(__always) package func relationshipIndex(_ slot: Int) -> Int { Int(table.relationships[slot]) }

    package func relationship(id: Int) -> RelationshipLayout? {
        var (low, high) = (0, relationshipIDs.count)
        while low < high {
            let middle = (low + high) / 2
            if relationshipIDs[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < relationshipIDs.count && relationshipIDs[low].id == id ? relationships[relationshipIDs[low].index] : nil
    }

    package func relationship(named name: String) -> RelationshipLayout? {
        slotByName[name].flatMap { slots[$0].relationship }.map { relationships[$0] }
    }

    package func relationship(slot: Int) -> RelationshipLayout? {
        let index = relationshipIndex(slot)
        return index < 0 ? nil : relationships[index]
    }

    struct Context {
        let indexByName: [String: Int]
        let relationshipIDs: [ObjectIdentifier: Int]
    }

    init(_ entity: NSEntityDescription, index: Int, classOrder: [String], context: Context) {
        self.index = index
        name = entity.name ?? ""
        description = entity
        isAbstract = entity.isAbstract
        hasSubentities = !entity.subentities.isEmpty
        var chain = [entity]
        while let parent = chain[0].superentity { chain.insert(parent, at: 0) }
        depth = chain.count - 1
        root = context.indexByName[chain[0].name ?? ""] ?? index
        parent = entity.superentity.flatMap { context.indexByName[$0.name ?? ""] }

        var builder = SlotBuilder(classOrder: classOrder, entityIndex: index, context: context)
        builder.add(chain)
        slots = builder.slots
        relationships = builder.relationships
        storedRelationships = builder.relationships.filter { $0.storage != .transient }
        composites = builder.composites
        slotByName = Dictionary(
            builder.slots.enumerated().filter { $1.kind != .entityIndex && $1.kind != .vacant }.map { ($1.name, $0) },
            uniquingKeysWith: { a, _ in a })
        slotCount = slots.count
        maskWords = max(1, (slots.count + 63) / 64)
        variableSlots = slots.indices.filter { builder.slots[$0].kind.isVariable }
        cellCount = variableSlots.count
        binarySlots = slots.indices.filter { builder.slots[$0].kind == .binary }
        requiredSlots = slots.indices.filter { slot in
            let layout = builder.slots[slot]
            return !layout.isOptional && layout.kind != .toMany && layout.kind != .entityIndex && layout.kind != .vacant
        }
        transientSlots = slots.indices.filter { builder.slots[$0].attribute != nil && !builder.slots[$0].isPersistent }
        transientDefaultSlots = slots.indices.filter {
            builder.slots[$0].attribute?.isTransient == true && builder.slots[$0].attribute?.defaultValue != nil
        }
        var mask = [UInt64](repeating: 0, count: max(1, (builder.slots.count + 63) / 64))
        for slot in requiredSlots { mask[slot >> 6] |= 1 << UInt64(slot & 63) }
        requiredMask = mask
        relationshipIDs = builder.relationships.map { ($0.id, $0.index) }.sorted { $0.id < $1.id }
        layoutID = LayoutNumbers.next()
        table = SlotTable(builder.slots)
    }

    /// Whether this is an entity, or one of its subentities if these count.
    package func isKind(of entity: EntityLayout, orSubentity: Bool) -> Bool {
        index == entity.index || orSubentity && description.isKindOf(entity: entity.description)
    }
}

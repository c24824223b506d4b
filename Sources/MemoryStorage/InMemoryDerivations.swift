import DataModel
import Foundation
import Predicates
import Storage

/// Computes the derived attributes of an in-memory engine's rows.
struct InMemoryDerivations {
    private struct Item {
        let derivation: Derivation
        let name: String
        /// The index of the entity that declares the attribute.
        let entity: Int
        /// The roots of the entities whose rows the value depends on, besides the row itself.
        let roots: Set<Int>
        /// The relationships on the way, by id.
        let relationships: Set<Int>
    }

    /// What a save has written.
    struct Changes {
        var rows: [Int: Set<Int64>] = [:]
        /// The relationships whose members changed, by id.
        var relationships: Set<Int> = []
    }

    private let model: ModelLayout
    private let items: [Item]

    var isEmpty: Bool { items.isEmpty && problem == nil }

    /// What is wrong with a derivation of the model. It is asked before a model comes into use.
    private let problem: NSError?

    init(_ model: ModelLayout) {
        self.model = model
        var items: [Item] = []
        var problem: NSError?
        for entity in model.entities {
            for case let attribute as NSDerivedAttributeDescription in entity.description.ownProperties
            where attribute.derivationExpressionString != nil {
                do {
                    items.append(Self.item(try Derivation(attribute), attribute.name, entity, model))
                } catch {
                    let text = "\(attribute.qualifiedName): \(attribute.problem ?? "\(error)")"
                    problem = NSError(
                        domain: NSCocoaErrorDomain, code: NSCoreDataError, userInfo: [NSLocalizedDescriptionKey: text])
                }
            }
        }
        self.items = items
        self.problem = problem
    }

    private static func item(_ derivation: Derivation, _ name: String, _ entity: EntityLayout, _ model: ModelLayout) -> Item {
        var place = entity
        var roots: Set<Int> = []
        var relationships: Set<Int> = []
        for step in derivation.steps + [derivation.members].compactMap(\.self) {
            guard let relationship = place.relationship(named: step) else { continue }
            place = model.entities[relationship.destination]
            roots.insert(place.root)
            relationships.insert(relationship.id)
            if let inverse = relationship.inverse { relationships.insert(inverse) }
        }
        return Item(derivation: derivation, name: name, entity: entity.index, roots: roots, relationships: relationships)
    }

    // MARK: Computing

    /// The rows that need another value, with all their new values.
    ///
    /// - Throws: 134060 for a derived attribute that makes no sense; what a filter's evaluation throws.
    ///
    /// A row's own change concerns the row alone. If anything changes on the way of a derivation over relationships, all rows of
    /// its entity are looked at.
    func rows(after changes: Changes, in engine: InMemoryEngine, set: (_ row: Row, _ key: Int64, _ entity: EntityLayout) -> Void)
        throws
    {
        if let problem { throw problem }
        let now = Date().timeIntervalSinceReferenceDate
        var changes = changes
        // A derived attribute may depend on another one, but never on itself.
        for round in 0...items.count {
            var next = Changes()
            for item in items where round == 0 || item.derivation.kind != .now {
                let family = Set(model.family(of: item.entity))
                let root = model.entities[item.entity].root
                let rows = engine.state.rows[root] ?? [:]
                let isAffected =
                    !item.roots.isDisjoint(with: changes.rows.keys) || !item.relationships.isDisjoint(with: changes.relationships)
                for key in isAffected ? Set(rows.keys) : changes.rows[root] ?? [] {
                    guard let (index, row) = rows[key], family.contains(index),
                        let slot = model.entities[index].slotByName[item.name],
                        let changed = try derived(item, row, slot, key, model.entities[index], now, engine)
                    else { continue }
                    set(changed, key, model.entities[index])
                    next.rows[root, default: []].insert(key)
                }
            }
            guard !next.rows.isEmpty else { return }
            changes = next
        }
    }

    /// The row with its new value; nil if it has that already.
    private func derived(
        _ item: Item, _ row: Row, _ slot: Int, _ key: Int64, _ entity: EntityLayout, _ now: TimeInterval, _ engine: InMemoryEngine
    ) throws -> Row? {
        let draft = row.makeDraft()
        write(try value(item.derivation, row, key, entity, now, engine), to: draft, slot)
        return Row.isEqual(draft.slots, row.slots, slot, entity.kind(slot)) ? nil : draft
    }

    private func value(
        _ derivation: Derivation, _ row: Row, _ key: Int64, _ entity: EntityLayout, _ now: TimeInterval, _ engine: InMemoryEngine
    ) throws -> PredicateValue {
        if derivation.kind == .now { return .date(Date(timeIntervalSinceReferenceDate: now)) }
        var place: (key: Int64, row: Row, entity: EntityLayout)? = (key, row, entity)
        for step in derivation.steps {
            guard let current = place, let relationship = current.entity.relationship(named: step),
                !current.row.isNil(relationship.slot)
            else { return derivation.members == nil ? .null : .integer(0) }
            let destination = current.row.integer(relationship.slot)
            place = engine.state.rows[model.entities[relationship.destination].root]?[destination]
                .map { (destination, $0.row, model.entities[$0.entity]) }
        }
        guard let place else { return derivation.members == nil ? .null : .integer(0) }
        guard let members = derivation.members else {
            let value = StoredRow(row: place.row).value(derivation.attribute ?? "")
            guard case .value(let function?) = derivation.kind else { return value }
            return try ScalarFunction(function)(value)
        }
        guard let relationship = place.entity.relationship(named: members) else { return .integer(0) }
        let rows = engine.state.rows[model.entities[relationship.destination].root] ?? [:]
        let found = try engine.members(of: relationship, owner: place.key).compactMap { rows[$0]?.row }
            .filter { row in try derivation.filter?.evaluate(validating: StoredRow(row: row)) ?? true }
        guard derivation.kind == .sum, let attribute = derivation.attribute else { return .integer(Int64(found.count)) }
        return sum(found.map { StoredRow(row: $0).value(attribute) })
    }

    private func sum(_ values: [PredicateValue]) -> PredicateValue {
        var whole: Int64 = 0
        var real = 0.0
        var decimal = Decimal(0)
        var (isWhole, isDecimal) = (true, false)
        for value in values {
            switch value {
            case .null: continue
            case .integer(let number):
                let (total, overflow) = whole.addingReportingOverflow(number)
                whole = total
                if overflow { isWhole = false }
            case .decimal(let number):
                decimal += number
                isDecimal = true
            default: isWhole = false
            }
            real += value.doubleValue
        }
        if isDecimal { return .decimal(decimal) }
        return isWhole ? .integer(whole) : PredicateValue(real)
    }

    private func write(_ value: PredicateValue, to row: Row, _ slot: Int) {
        switch (row.layout.kind(slot), value) {
        case (_, .null): row.setNil(slot)
        case (.integer, .integer(let number)): Row.setScalar(row.slots, slot, UInt64(bitPattern: number))
        case (.integer, _):
            let number = value.doubleValue.rounded(.towardZero)
            Row.setScalar(row.slots, slot, UInt64(bitPattern: Int64(exactly: number) ?? (number < 0 ? .min : .max)))
        case (.real, .date(let date)): Row.setScalar(row.slots, slot, date.timeIntervalSinceReferenceDate.bitPattern)
        case (.real, _): Row.setScalar(row.slots, slot, value.doubleValue.bitPattern)
        case (.decimal, .decimal(let number)): row.setBoxed(slot, number)
        case (.decimal, .integer(let number)): row.setBoxed(slot, Decimal(number))
        case (.decimal, _): row.setBoxed(slot, Row.decimal(from: value.doubleValue))
        case (.string, .string(let text)): row.setString(slot, text)
        case (.uri, .url(let url)): row.setString(slot, url.absoluteString)
        case (.uuid, .uuid(let uuid)): row.setUUID(slot, uuid)
        case (.binary, .data(let data)): row.setData(slot, data)
        default: row.setNil(slot)
        }
    }
}

/// A row as predicates read it: its attributes by name.
private final class StoredRow: PredicateKeyReading {
    private let row: Row

    init(row: Row) { self.row = row }

    func predicateValue(forKey key: String) throws -> PredicateValue { value(key) }

    func value(_ name: String) -> PredicateValue {
        let layout = row.layout
        guard let slot = layout.slotByName[name], !row.isNil(slot) else { return .null }
        switch layout.kind(slot) {
        case .integer: return .integer(row.integer(slot))
        case .real:
            let number = row.double(slot)
            let isDate = layout.slots[slot].attributeType == .dateAttributeType
            return isDate ? .date(Date(timeIntervalSinceReferenceDate: number)) : PredicateValue(number)
        case .decimal: return .decimal(Row.decimal(row.slots, slot))
        case .string: return .string(row.string(slot))
        case .uri:
            let text = row.string(slot)
            return URL(string: text).map(PredicateValue.url) ?? .string(text)
        case .uuid: return .uuid(row.uuid(slot))
        case .binary: return .data(row.data(slot))
        case .transformable, .object, .toOne, .entityIndex, .toMany, .vacant: return .null
        }
    }
}

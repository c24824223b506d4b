import DataModel
import Storage

/// How one table of a newer family comes to be.
struct TableChange {
    let table: StoreMapping.Table
    /// The newer entities of the family.
    let entities: [Int]
    /// The table that has the rows now; nil for a new family.
    let source: SQLName?
    /// Whether the rows are copied into a new table. Otherwise the source itself is changed.
    let isCopied: Bool
    /// The column that each one is now, for those that are only renamed, or stay.
    private(set) var base: [SQLName: SQLName] = [:]
    /// The columns of the source that are not needed any more.
    private(set) var dropped: [SQLName] = []
    private let origins: [Int: [SQLName: MigrationMapping.Origin]]
    private let mapping: MigrationMapping

    /// - Parameters:
    ///   - columns: Those of the source in the file.
    init(
        _ table: StoreMapping.Table, source: SQLName?, isCopied: Bool, columns: [SQLName], _ mapping: MigrationMapping
    ) {
        self.table = table
        self.source = source
        self.isCopied = isCopied
        self.mapping = mapping
        entities = mapping.new.layout.family(of: table.root)
        origins = Dictionary(uniqueKeysWithValues: entities.map { ($0, mapping.origins(of: $0)) })
        guard source != nil, !isCopied else { return }
        chooseBase()
        let kept = Set(base.values).union([.primaryKey, .entityNumber, .version])
        dropped = columns.filter { !kept.contains($0) && $0.text.hasPrefix("Z") }
    }

    var added: [StoreMapping.Column] { table.columns.filter { base[$0.name] == nil } }

    /// A column that several newer ones come from stays that which has its name, else that of most entities.
    private mutating func chooseBase() {
        var taken: Set<SQLName> = []
        var candidates: [(new: SQLName, old: SQLName, isSame: Bool, count: Int)] = []
        for column in table.columns {
            var counts: [SQLName: Int] = [:]
            for entity in entities {
                if case .column(let old, _, _)? = origins[entity]?[column.name] { counts[old, default: 0] += 1 }
            }
            candidates += counts.map { (column.name, $0.key, $0.key == column.name, $0.value) }
        }
        candidates.sort { a, b in
            (a.isSame ? 0 : 1, -a.count, a.new.text, a.old.text) < (b.isSame ? 0 : 1, -b.count, b.new.text, b.old.text)
        }
        for candidate in candidates where base[candidate.new] == nil && taken.insert(candidate.old).inserted {
            base[candidate.new] = candidate.old
        }
    }

    // MARK: Values

    /// What a column gets in rows of an entity, where that is not what its base has.
    enum Value: Hashable {
        case column(SQLName, from: ColumnEncoding, to: ColumnEncoding)
        case defaultValue(entity: Int, slot: Int)
        /// The default value where there is none.
        case columnOrDefault(SQLName, from: ColumnEncoding, to: ColumnEncoding, entity: Int, slot: Int)
        case none
    }

    /// The value of a column for an entity; nil where nothing has to be done in place.
    func value(of column: SQLName, in entity: Int, _ defaults: [Row]) -> Value? {
        let origin = origins[entity]?[column] ?? .none
        func isNil(_ slot: Int) -> Bool { Row.isNil(defaults[entity].slots, slot) }
        switch origin {
        case .column(let old, let from, let to):
            if let slot = requiredSlot(column, entity), !isNil(slot) {
                return .columnOrDefault(old, from: from, to: to, entity: entity, slot: slot)
            }
            let isSame = base[column] == old && (from == .externalBlob) == (to == .externalBlob)
            return isSame ? nil : .column(old, from: from, to: to)
        case .defaultValue(let slot) where !isNil(slot): return .defaultValue(entity: entity, slot: slot)
        case .defaultValue, .none: return hasForeignValue(column, entity) ? Value.none : nil
        }
    }

    /// The slot of a column whose attribute is required now and was not before.
    private func requiredSlot(_ column: SQLName, _ entity: Int) -> Int? {
        let layout = mapping.new.layout.entities[entity]
        guard let stored = mapping.new.entities[entity].columns.first(where: { $0.name == column }),
            let attribute = layout.slots[stored.slot].attribute, !layout.slots[stored.slot].isOptional,
            let path = mapping.match.entities[layout.name]?.sourcePath(of: layout.slots[stored.slot].name),
            let source = mapping.sources[entity], let slot = mapping.old.layout.entities[source].slotByName[path],
            mapping.old.layout.entities[source].slots[slot].isOptional, !(attribute is NSDerivedAttributeDescription)
        else { return nil }
        return stored.slot
    }

    /// Whether the base of a column has another property's values in rows of the entity.
    private func hasForeignValue(_ column: SQLName, _ entity: Int) -> Bool {
        guard let old = base[column], let source = mapping.sources[entity] else { return false }
        let isOfRow = mapping.old.entities[source].columns.contains { $0.name == old || $0.orderColumn == old }
        return isOfRow || mapping.old.hiddenKeys.contains { $0.column == old || $0.orderColumn == old }
    }
}

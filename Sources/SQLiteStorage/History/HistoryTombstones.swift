import DataModel
import Storage

/// Where the history keeps the values that a deleted object of one entity leaves behind.
struct HistoryTombstones {
    /// A column of the history, with the column that the value comes from.
    let columns: [(name: String, column: SQLName)]
    private let entity: StoredEntity

    init(_ entity: StoredEntity, _ store: OpenStore) {
        let known = store.schema.tables["ACHANGE"] ?? [:]
        let preserved = entity.layout.attributesPreservedOnDeletion.enumerated().compactMap { index, attribute in
            store.mapping.column(of: attribute, in: entity.layout.index).map { (name: "ZTOMBSTONE\(index)", column: $0) }
        }
        columns = preserved.filter { known[$0.name] != nil }
        self.entity = entity
    }

    /// How to read the values from a statement's result that has the columns `names` from `first` on.
    func readers(_ names: [String], from first: Int32) -> [ColumnReader] {
        columns.compactMap { name, column in
            guard let stored = entity.columns.first(where: { $0.name == column }), let index = names.firstIndex(of: name) else {
                return nil
            }
            return ColumnReader(encoding: stored.encoding, slot: stored.slot, column: first + Int32(index))
        }
    }
}

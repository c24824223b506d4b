import DataModel

/// Which rows of an engine are wanted, and in which order.
package struct RowRequest {
    package enum Selection {
        case all
        /// Rows by primary key, in no particular order; keys without a row are skipped.
        case keys([Int64])
        /// The destinations of a to-many relationship of one owner, in stored order if it is ordered.
        case members(of: RelationshipLayout, owner: Int64)
        /// Rows that have the values of a row in some of its slots, none of which is nil there; keys among them are permanent. Not to be cut or sorted.
        case matching(Row, slots: [Int])
    }

    package struct SortKey {
        /// A persistent slot of the requested entity.
        package let slot: Int
        package let isAscending: Bool

        package init(slot: Int, isAscending: Bool) {
            self.slot = slot
            self.isAscending = isAscending
        }
    }

    package var entity: EntityLayout
    package var includesSubentities = true
    package var selection = Selection.all
    /// Nil sorts before every value; text by its bytes. Without sort keys rows come by primary key.
    package var sortKeys: [SortKey] = []
    /// 0 means no limit.
    package var limit = 0
    package var offset = 0

    package init(_ entity: EntityLayout, selection: Selection = .all) {
        self.entity = entity
        self.selection = selection
    }
}

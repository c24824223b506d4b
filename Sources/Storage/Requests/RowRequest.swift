package import DataModel
package import Predicates

/// Which rows of an engine are wanted, and in which order.
package struct RowRequest {
    package enum Selection {
        case all
        /// Rows by primary key, in no particular order; keys without a row are skipped.
        case keys([Int64])
        /// The destinations of a to-many relationship of one owner, in stored order if it is ordered.
        case members(of: RelationshipLayout, owner: Int64)
        /// Rows that have the values of a row in some of its slots, none of which is nil there. Keys among them are
        /// permanent. Such a request is neither cut nor sorted.
        case matching(Row, slots: [Int])
    }

    package struct SortKey: Hashable, Sendable {
        /// To-one relationships to follow first; nil for the requested rows' own values. Only for engines that can; see
        /// `StorageEngine.evaluates(_:)`.
        package let path: RowPath?
        /// A persistent slot of the entity at the end of the path, else of the requested one.
        package let slot: Int
        package let isAscending: Bool
        /// How texts compare. Not every engine knows others than `codePoints`.
        package let textComparison: TextComparison

        package init(path: RowPath? = nil, slot: Int, isAscending: Bool, textComparison: TextComparison = .codePoints) {
            self.path = path
            self.slot = slot
            self.isAscending = isAscending
            self.textComparison = textComparison
        }
    }

    package var entity: EntityLayout
    package var includesSubentities = true
    package var selection = Selection.all
    /// Which of the selected rows; nil for all. Only for engines that say so; see `StorageEngine.evaluates(_:)`.
    package var predicate: RowPredicate?
    /// The constants of the predicate, by their index.
    package var constants: [RowValue] = []
    /// Nil sorts before every value; text by its bytes unless a key says otherwise. Without sort keys rows come by
    /// primary key.
    package var sortKeys: [SortKey] = []
    /// Whether the consumer wants the values of any row. If it does not, it is told of the keys alone, and engines need
    /// not read more.
    package var takesValues = true
    /// All that the fetch asks for, for engines that execute requests; see `StorageEngine.executesRequests`.
    package var settings: FetchSettings?
    /// 0 means no limit.
    package var limit = 0
    package var offset = 0

    package init(_ entity: EntityLayout, selection: Selection = .all) {
        self.entity = entity
        self.selection = selection
    }
}

import DataModel
import Storage

/// A parent context's object as its child sees it: where it is registered, and its current values.
struct ParentRow {
    /// Nil for an object that is not in the stores yet.
    let store: StoreReference?
    let entity: Int
    let key: Int64
    /// A row that does not change: the object's own, or a copy of its draft. Nil if the parent has not loaded it.
    let row: Row?

    init(_ object: NSManagedObject) {
        store = object.registry.store
        entity = object.layout.index
        key = object.key
        row = object.rowForChild
    }
}

extension NSManagedObject {
    /// The current values, in a row that does not change.
    final var rowForChild: Row? {
        // Values that could not be read are not given to others.
        guard let row, !_state.contains(.unread) else { return nil }
        guard _state.contains(.draft) else { return row }
        return row.makeDraft()
    }
}

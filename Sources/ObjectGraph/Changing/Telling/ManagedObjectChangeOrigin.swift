/// What brought a round of changes about.
public enum ManagedObjectChangeOrigin: Sendable {
    /// The context's own objects were changed.
    case local
    /// A change was undone, redone or rolled back.
    case undo
    /// A child context was saved.
    case childSave
    /// Changes that another context, coordinator or process saved were merged. Unsaved changes of the context's own may be among
    /// them.
    case merge
}

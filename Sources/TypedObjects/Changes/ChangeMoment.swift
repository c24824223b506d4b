/// When observers hear of changes.
public enum ChangeMoment: Sendable {
    /// At each processing of pending changes, before anything is saved. Merged changes come at this moment, too.
    case changed
    /// After each successful save of the context, with all that it wrote: what changed and was changed back is not told of. Old values are those of the last
    /// save, and the IDs of new objects are permanent ones.
    case saved
}

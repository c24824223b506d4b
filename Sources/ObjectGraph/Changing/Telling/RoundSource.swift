/// The source of a round's changes.
///
/// It belongs to the one processing that reports them. Changes that observers make in response are the context's own,
/// even if they are processed later.
struct RoundSource {
    let origin: ManagedObjectChangeOrigin
    let author: String?
    /// Whether the context's undo manager may undo the changes. It may not undo those of others.
    var isUndoable = true

    /// Changes that others saved.
    static func merge(by author: String?) -> RoundSource { RoundSource(origin: .merge, author: author, isUndoable: false) }

    /// Changes that are undone.
    static func undo(by author: String?) -> RoundSource { RoundSource(origin: .undo, author: author) }
}

extension NSManagedObjectContext {
    /// The source of the context's own changes.
    final var ownSource: RoundSource { RoundSource(origin: .local, author: transactionAuthor) }
}

/// Whose changes a round tells of.
///
/// It is given to the one processing that tells of them. What those who are told do in turn is the context's own, whenever it is processed.
struct RoundSource {
    let origin: _ChangeOrigin
    let author: String?
    /// Whether the context's undo manager may take the changes back: not what others did.
    var isUndoable = true

    /// Changes that others saved.
    static func merge(by author: String?) -> RoundSource { RoundSource(origin: .merge, author: author, isUndoable: false) }
}

extension NSManagedObjectContext {
    /// The context's own doing.
    final var ownSource: RoundSource { RoundSource(origin: .local, author: transactionAuthor) }
}

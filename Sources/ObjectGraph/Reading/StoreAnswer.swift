/// What stores, or a parent, have found for a fetch, and which parts of it are done. The rest is done in memory.
struct StoreAnswer {
    var objects: [NSManagedObject]
    /// Whether the predicate was evaluated.
    let isFiltered: Bool
    /// Whether the objects come in the order of the sort descriptors.
    let isSorted: Bool
    /// Whether limit and offset were applied.
    let isCut: Bool

    /// The answer of no store.
    static var none: StoreAnswer { StoreAnswer(objects: [], isFiltered: true, isSorted: true, isCut: false) }
}

/// The objects that stores, or a parent, have found for a fetch, and the parts of the fetch that are done. The rest is
/// done in memory.
struct StoreAnswer {
    var objects: [NSManagedObject]
    /// Whether the predicate was evaluated.
    let isFiltered: Bool
    /// Whether the objects come in the order of the sort descriptors.
    let isSorted: Bool
    /// Whether limit and offset were applied.
    let isCut: Bool

    /// The answer without any store.
    static var none: StoreAnswer { StoreAnswer(objects: [], isFiltered: true, isSorted: true, isCut: false) }
}

extension Workload {
    /// What other libraries do, too.
    package static let ofPeers: Set<Workload> = [
        .insert, .fetch, .fault, .filter, .update, .delete, .traverse, .traverseByJoin, .aggregate,
    ]
}

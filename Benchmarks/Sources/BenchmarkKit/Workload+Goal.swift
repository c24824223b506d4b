extension Workload {
    /// The figure that the library should not exceed.
    package struct Goal {
        package let most: Double
        /// Whether the figures are ratios to the bare SQLite C API, with memory that stays with the process; otherwise they are in the
        /// workload's unit.
        package let isRatio: Bool
    }

    /// `nil` where there is none: the figure is there for comparison.
    package var goal: Goal? {
        switch self {
        case .insert: Goal(most: 1.4, isRatio: true)
        case .fetch: Goal(most: 1.2, isRatio: true)
        case .fault: Goal(most: 1.1, isRatio: true)
        case .filter: Goal(most: 1.02, isRatio: true)
        case .update: Goal(most: 1.45, isRatio: true)
        case .delete: Goal(most: 1.3, isRatio: true)
        case .traverse: Goal(most: 1.25, isRatio: true)
        case .aggregate: Goal(most: 1.02, isRatio: true)
        case .registered: Goal(most: 0.5, isRatio: true)
        case .siblings: Goal(most: 0.3, isRatio: true)
        case .prefetch: Goal(most: 1.2, isRatio: true)
        case .anyMember, .groups, .page: Goal(most: 1.1, isRatio: true)
        case .slotRead, .slotWrite: Goal(most: 1.1, isRatio: true)
        case .keyRead, .keyWrite: Goal(most: 0.1, isRatio: true)
        case .managedRead, .managedWrite: Goal(most: 2, isRatio: true)
        case .scalar: Goal(most: 1.5, isRatio: false)
        case .string: Goal(most: 25, isRatio: false)
        case .tracked: Goal(most: 6, isRatio: false)
        case .observers: Goal(most: 25, isRatio: false)
        case .observerSets: Goal(most: 100, isRatio: false)
        case .childSave: Goal(most: 1200, isRatio: false)
        case .memberInsert: Goal(most: 5, isRatio: false)
        case .memory: Goal(most: 300, isRatio: false)
        case .openEntities: Goal(most: 100, isRatio: false)
        case .batches: Goal(most: 20, isRatio: false)
        case .parse, .evaluate, .faultBatches, .inverses, .changes, .undo, .oneObserver, .hundredObservers, .liveList, .merge,
            .conflict, .batchUpdate, .batchInsert, .manyAttributes, .longTexts, .fewAttributes, .upsert, .manyToMany,
            .orderedInsert, .keyPaths, .readers, .open, .liveLists, .tenMerges, .oddSize, .traverseByJoin:
            nil
        }
    }

    /// The ratio to raw SQLite that the library should not exceed with the system's memory settings.
    package var goalWithSystemMemory: Double? { self == .fetch ? 1.1 : nil }
}

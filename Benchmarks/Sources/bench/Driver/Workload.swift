/// One piece of work that contenders do, with the targets for the library.
enum Workload: String, CaseIterable, Codable {
    case insert = "W1"
    case fetch = "W2"
    case fault = "W3"
    case filter = "W4"
    case update = "W5"
    case delete = "W6"
    case traverse = "W7"
    case aggregate = "W8"
    case registered
    case siblings
    case scalar
    case string
    case slotRead = "slot-read"
    case slotWrite = "slot-write"
    case keyRead = "key-read"
    case keyWrite = "key-write"
    case managedRead = "managed-read"
    case managedWrite = "managed-write"
    case observers
    case observerSets = "observer-sets"
    case memory
    case anyMember = "any"
    case prefetch
    case groups
    case page
    case parse
    case evaluate
    case faultBatches = "fault-batches"
    case inverses
    case changes
    case undo
    case childSave = "child-save"
    case tracked
    case oneObserver = "one-observer"
    case hundredObservers = "hundred-observers"
    case liveList = "live-list"
    case merge
    case conflict
    case batchUpdate = "batch-update"
    case batchInsert = "batch-insert"

    /// What is measured.
    enum Unit: String, Codable {
        case nanosecondsPerObject = "ns/object"
        case millisecondsPerQuery = "ms/query"
        case nanosecondsPerAccess = "ns/access"
        case bytesPerObject = "bytes/object"
    }

    /// What must be reached, and what can be.
    struct Target {
        let must: Double
        let reach: Double
        /// Whether the figures are ratios to the bare SQLite C API; otherwise they are in the workload's unit.
        let isRatio: Bool
    }

    var summary: String {
        switch self {
        case .insert: "insert + save"
        case .fetch: "fetch all + read every attribute"
        case .fault: "single objects by key, random"
        case .filter: "filtered, sorted fetch, limit 100"
        case .update: "change one attribute + save"
        case .delete: "delete + save"
        case .traverse: "fetch + follow a to-one"
        case .aggregate: "count + sum"
        case .registered: "fetch of objects already registered (beside W2)"
        case .siblings: "faults of one fetch, in order (beside W3)"
        case .scalar: "read an integer through a typed accessor"
        case .string: "read a string through a typed accessor"
        case .slotRead: "read an integer through a typed accessor (beside its slot)"
        case .slotWrite: "write an integer through a typed accessor (beside its slot)"
        case .keyRead: "read an integer through a typed accessor (beside value(forKey:))"
        case .keyWrite: "write an integer through a typed accessor (beside setValue(_:forKey:))"
        case .managedRead: "read an integer under @Managed (beside @Entity)"
        case .managedWrite: "write an integer under @Managed (beside @Entity)"
        case .observers: "typed changes to 10 observers (beside 10 loops by hand)"
        case .observerSets: "the same, each observer asks for its set"
        case .memory: "memory of fetched objects"
        case .anyMember: "fetch by ANY over a to-many"
        case .prefetch: "fetch with the to-one prefetched (beside W7)"
        case .groups: "count and average by group, as dictionaries"
        case .page: "the first 20 objects of all, with batch size 20"
        case .parse: "parse a format string"
        case .evaluate: "evaluate a predicate in memory"
        case .faultBatches: "fire the faults of one fetch, all of them"
        case .inverses: "assign a to-one that has an inverse"
        case .changes: "change one attribute + ObjectsDidChange"
        case .undo: "undo one attribute's change of every object"
        case .childSave: "save a child context's changes into its parent"
        case .tracked: "read an integer where observation may be tracked"
        case .oneObserver: "process changes of 10 classes, with 1 observer"
        case .hundredObservers: "the same with 100 observers"
        case .liveList: "keep a sorted list of all objects up to date, of which a tenth moves"
        case .merge: "merge another context's save of all objects"
        case .conflict: "save all objects over newer rows, property by property"
        case .batchUpdate: "batch update by a predicate"
        case .batchInsert: "batch insertion, object by object (beside W1)"
        }
    }

    var unit: Unit {
        switch self {
        case .filter, .aggregate, .anyMember, .groups, .page: .millisecondsPerQuery
        case .scalar, .string, .slotRead, .slotWrite, .keyRead, .keyWrite, .managedRead, .managedWrite, .tracked:
            .nanosecondsPerAccess
        case .memory: .bytesPerObject
        default: .nanosecondsPerObject
        }
    }

    /// `nil` where there is none: the figure is there for comparison.
    var target: Target? {
        switch self {
        case .insert: Target(must: 1.6, reach: 1.4, isRatio: true)
        case .fetch: Target(must: 1.3, reach: 1.1, isRatio: true)
        case .fault: Target(must: 1.25, reach: 1.15, isRatio: true)
        case .filter: Target(must: 1.1, reach: 1.03, isRatio: true)
        case .update: Target(must: 1.75, reach: 1.5, isRatio: true)
        case .delete: Target(must: 1.5, reach: 1.3, isRatio: true)
        case .traverse: Target(must: 1.4, reach: 1.25, isRatio: true)
        case .aggregate: Target(must: 1.1, reach: 1.0, isRatio: true)
        case .registered: Target(must: 0.7, reach: 0.5, isRatio: true)
        case .siblings: Target(must: 0.4, reach: 0.3, isRatio: true)
        case .scalar: Target(must: 3, reach: 1.5, isRatio: false)
        case .string: Target(must: 35, reach: 25, isRatio: false)
        case .slotRead, .slotWrite: Target(must: 1.3, reach: 1.1, isRatio: true)
        case .keyRead, .keyWrite: Target(must: 0.2, reach: 0.1, isRatio: true)
        case .managedRead, .managedWrite: Target(must: 2, reach: 1.5, isRatio: true)
        case .observers: Target(must: 40, reach: 20, isRatio: false)
        case .anyMember, .groups, .page: Target(must: 1.3, reach: 1.1, isRatio: true)
        case .prefetch: Target(must: 1.4, reach: 1.25, isRatio: true)
        case .parse, .evaluate: nil
        case .observerSets, .faultBatches, .inverses, .changes, .undo, .childSave, .tracked, .oneObserver, .hundredObservers,
            .liveList, .merge, .conflict, .batchUpdate, .batchInsert:
            nil
        case .memory: Target(must: 400, reach: 330, isRatio: false)
        }
    }

    /// The workload that the raw contender does beside this one.
    var baseline: Workload {
        switch self {
        case .registered: .fetch
        case .siblings: .fault
        case .prefetch: .traverse
        case .batchInsert: .insert
        default: self
        }
    }

    /// Whether there is something to compare with.
    var hasRaw: Bool { !isGraphWork && self != .scalar && self != .string }

    /// Whether the work is done in memory alone, or has no counterpart in a program without an object graph.
    private var isGraphWork: Bool {
        switch self {
        case .parse, .evaluate, .faultBatches, .inverses, .changes, .undo, .childSave, .tracked, .oneObserver, .hundredObservers,
            .liveList, .merge, .conflict:
            true
        default: false
        }
    }

    /// Whether the figure is a time that should grow with the number of objects and not faster.
    var hasLinearTime: Bool {
        switch self {
        case .scalar, .string, .slotRead, .slotWrite, .keyRead, .keyWrite, .managedRead, .managedWrite, .tracked, .memory,
            .filter, .aggregate, .anyMember, .groups, .page, .parse:
            false
        default: true
        }
    }

    /// Whether both contenders read the same values here, so that their check sums must agree.
    var hasCommonChecksum: Bool { (baseline == self || self == .prefetch) && !isObservation }

    private var isObservation: Bool { self == .observers || self == .observerSets }
}

/// One piece of work that contenders do.
package enum Workload: String, CaseIterable, Codable, Sendable {
    case insert = "W1"
    case fetch = "W2"
    case fault = "W3"
    case filter = "W4"
    case update = "W5"
    case delete = "W6"
    case traverse = "W7"
    case aggregate = "W8"
    case traverseByJoin = "W7-join"
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
    case memberInsert = "member-insert"
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
    case manyAttributes = "64-attributes"
    case longTexts = "long-texts"
    case fewAttributes = "2-of-10"
    case upsert
    case manyToMany = "many-to-many"
    case orderedInsert = "ordered-insert"
    case keyPaths = "key-paths"
    case readers
    case open
    case liveLists = "live-lists"
    case tenMerges = "ten-merges"
    case oddSize = "odd-size"
    case openEntities = "open-entities"
    case batches

    /// What is measured.
    package enum Unit: String, Codable {
        case nanosecondsPerObject = "ns/object"
        case millisecondsPerQuery = "ms/query"
        case nanosecondsPerAccess = "ns/access"
        case bytesPerObject = "bytes/object"
    }

    package var unit: Unit {
        switch self {
        case .filter, .aggregate, .anyMember, .groups, .page, .orderedInsert, .memberInsert, .readers, .open, .openEntities:
            .millisecondsPerQuery
        case .scalar, .string, .slotRead, .slotWrite, .keyRead, .keyWrite, .managedRead, .managedWrite, .tracked:
            .nanosecondsPerAccess
        case .memory, .batches: .bytesPerObject
        default: .nanosecondsPerObject
        }
    }

    /// The workload that the raw contender does beside this one.
    package var baseline: Workload {
        switch self {
        case .registered: .fetch
        case .siblings: .fault
        case .prefetch, .traverseByJoin: .traverse
        case .batchInsert: .insert
        default: self
        }
    }

    /// Whether there is something to compare with.
    package var hasRaw: Bool { !isGraphWork && self != .scalar && self != .string }

    /// Whether the work is done in memory alone, or has no counterpart in a program without an object graph.
    private var isGraphWork: Bool {
        switch self {
        case .parse, .evaluate, .faultBatches, .inverses, .memberInsert, .changes, .undo, .childSave, .tracked, .oneObserver,
            .hundredObservers, .liveList, .merge, .conflict, .openEntities, .batches:
            true
        default: false
        }
    }

    /// Whether the figure is a time that should grow with the number of objects and not faster.
    package var hasLinearTime: Bool {
        switch self {
        case .scalar, .string, .slotRead, .slotWrite, .keyRead, .keyWrite, .managedRead, .managedWrite, .tracked, .memory,
            .filter, .aggregate, .anyMember, .groups, .page, .parse, .orderedInsert, .memberInsert, .readers, .open,
            .liveLists, .openEntities, .batches:
            false
        default: true
        }
    }

    /// Whether both contenders read the same values here, so that their check sums must agree.
    package var hasCommonChecksum: Bool { (baseline == self || baseline == .traverse) && !isObservation }

    private var isObservation: Bool { self == .observers || self == .observerSets }
}

extension Workload {
    package init(named name: String) throws {
        guard let workload = Workload(rawValue: name) ?? Workload(rawValue: name.uppercased()) else {
            throw BenchmarkError("no workload \(name); there are \(Workload.allCases.map(\.rawValue).joined(separator: " "))")
        }
        self = workload
    }
}

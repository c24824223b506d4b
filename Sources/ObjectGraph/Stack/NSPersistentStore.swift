import DataModel
import Foundation
import Storage
import Synchronization

/// A store that a coordinator has open.
// @unchecked Sendable: what changes is either the engine, used only under the coordinator's lock, or guarded by that lock itself.
open class NSPersistentStore: NSObject, @unchecked Sendable {
    let engine: any StorageEngine
    let reference: StoreReference
    private let lock: NSRecursiveLock
    private var hasChangedMetadata = false
    private let entityNames: Set<String>
    private weak var coordinator: NSPersistentStoreCoordinator?
    private var watch: StoreWatch?
    /// The readers that use snapshots of their own.
    private let readers = DispatchGroup()
    /// The rows that the store's own coordinator updated or deleted recently.
    let recentWrites = RecentWrites()

    /// The type: `NSSQLiteStoreType` or `NSInMemoryStoreType`.
    public final var type: String { kind.type }
    let kind: any StoreKind
    /// The name of the configuration whose entities the store holds.
    public final let configurationName: String
    /// The options the store was added with.
    public final let options: [AnyHashable: Any]?
    /// Where the store is; nil for a store in memory, unless ``NSPersistentStoreCoordinator/setURL(_:for:)`` gave it a URL.
    public final var url: URL? { place.withLock { $0 } }
    private let place: Mutex<URL?>
    /// Whether the coordinator removed the store because its file was destroyed or replaced.
    final var wasRemovedWithItsFile: Bool {
        get { fileIsGone.load(ordering: .relaxed) }
        set { fileIsGone.store(newValue, ordering: .relaxed) }
    }
    private let fileIsGone = Atomic(false)
    /// Whether the store refuses to save.
    public final let isReadOnly: Bool

    init(
        engine: any StorageEngine, kind: any StoreKind, coordinator: NSPersistentStoreCoordinator, index: Int,
        configurationName: String,
        url: URL?,
        options: [AnyHashable: Any]?, isReadOnly: Bool, entityNames: Set<String>
    ) {
        self.engine = engine
        self.kind = kind
        self.coordinator = coordinator
        self.configurationName = configurationName
        place = Mutex(url)
        self.options = options
        self.isReadOnly = isReadOnly
        self.entityNames = entityNames
        reference = StoreReference(identifier: engine.identifier, index: index)
        lock = coordinator.lock
        super.init()
        reference.store = self
    }

    final func setURL(_ url: URL) { place.withLock { $0 = url } }

    /// The store's UUID, which stands in the URLs of its objects' IDs.
    public final var identifier: String! { engine.identifier }

    /// The coordinator that has the store open.
    public final var persistentStoreCoordinator: NSPersistentStoreCoordinator? { coordinator }

    /// The store's metadata. Metadata that are set here are written by the next save of a context, even by one without
    /// changes to objects.
    public final var metadata: [String: Any]! {
        get { lock.withLock { engine.metadata } }
        set {
            lock.withLock {
                engine.setMetadata(newValue ?? [:])
                hasChangedMetadata = true
            }
        }
    }

    /// Writes metadata that was set since the last save.
    final func saveMetadata() throws {
        guard lock.withLock({ hasChangedMetadata }) else { return }
        try save { _ in }
    }

    final func holds(_ entityName: String) -> Bool { entityNames.contains(entityName) }

    // MARK: The engine, one call at a time

    /// - Parameter generation: the state of the store to read; nil for the newest.
    final func fetch(_ request: RowRequest, into consumer: some RowConsumer, in generation: QueryGeneration? = nil) throws {
        lock.lock()
        defer { lock.unlock() }
        guard let generation else { return try engine.fetch(request, into: consumer) }
        try source(in: generation)?.fetch(request, into: consumer)
    }

    final func fetchMembers(
        of relationship: RelationshipLayout, owners: [Int64], into consumer: some MemberConsumer,
        in generation: QueryGeneration? = nil
    ) throws {
        lock.lock()
        defer { lock.unlock() }
        guard let generation else { return try engine.fetchMembers(of: relationship, owners: owners, into: consumer) }
        try source(in: generation)?.fetchMembers(of: relationship, owners: owners, into: consumer)
    }

    /// A binary value that is stored in a file of its own.
    final func externalValue(_ file: UUID) throws -> Data { try lock.withLock { try engine.externalValue(file) } }

    final func count(_ request: RowRequest, in generation: QueryGeneration? = nil) throws -> Int {
        try lock.withLock {
            guard let generation else { return try engine.count(request) }
            return try source(in: generation)?.count(request) ?? 0
        }
    }

    /// Computes columns. For stores whose engine evaluates queries.
    final func fetchColumns(
        _ request: ColumnRequest, in generation: QueryGeneration?, _ take: ([RowValue?]) -> Void
    ) throws {
        lock.lock()
        defer { lock.unlock() }
        guard let source = try generation.map({ try self.source(in: $0) }) ?? engine else { return }
        guard let columns = source.columns else {
            throw NSError.coreData(
                NSPersistentStoreUnsupportedRequestTypeError, "A store of type \(type) can't compute columns",
                [NSAffectedStoresErrorKey: [self]])
        }
        try columns.fetchColumns(request, take)
    }

    /// Reads rows on a thread that is not on a context's queue. It reads from a snapshot while others use the store. If
    /// the store has no snapshots, it reads under the store's lock, as every other reading does.
    ///
    /// - Returns: the number of the coordinator's saves that the rows contain.
    final func readAside(in generation: QueryGeneration?, _ body: (any RowSource) throws -> Void) throws -> Int {
        if generation == nil, case (var snapshot, let moment)? = try beginReadingAside() {
            // Closing the store waits until the snapshot is released.
            defer { readers.leave() }
            try Self.use(&snapshot, body)
            return moment
        }
        return try lock.withLock {
            let moment = now
            guard let source = try generation.map({ try self.source(in: $0) }) ?? engine else { return moment }
            try body(source)
            return generation?.moment ?? moment
        }
    }

    private final func beginReadingAside() throws -> (snapshot: (any RowSource)?, moment: Int)? {
        try lock.withLock {
            guard let snapshot = try engine.makeSnapshot() else { return nil }
            readers.enter()
            return (snapshot, now)
        }
    }

    private static func use(_ snapshot: inout (any RowSource)?, _ body: (any RowSource) throws -> Void) throws {
        defer { snapshot = nil }
        if let snapshot { try body(snapshot) }
    }

    private var now: Int { coordinator?.clock.now ?? 0 }

    private final func source(in generation: QueryGeneration) throws -> (any RowSource)? {
        switch try generation.place(of: self) {
        case .newest: engine
        case .snapshot(let source): source
        case .nowhere: nil
        }
    }

    final var hasSnapshots: Bool { lock.withLock { engine.hasSnapshots } }

    final func makeSnapshot() throws -> (any RowSource)? { try lock.withLock { try engine.makeSnapshot() } }

    final func loadRow(_ entity: EntityLayout, key: Int64, in generation: QueryGeneration? = nil) throws -> Row? {
        var request = RowRequest(entity, selection: .keys([key]))
        request.includesSubentities = false
        let consumer = SingleRow()
        try fetch(request, into: consumer, in: generation)
        return consumer.row
    }

    final func loadRows(_ entity: EntityLayout, keys: [Int64]) throws -> [Int64: Row] {
        var request = RowRequest(entity, selection: .keys(keys))
        request.includesSubentities = false
        let consumer = RowsByKey()
        try fetch(request, into: consumer)
        return consumer.rows
    }

    /// - Parameter didCommit: called before other threads can use the store again.
    final func save<Result>(_ body: (any SaveTransaction) throws -> Result, didCommit: () -> Void = {}) throws -> Result {
        lock.lock()
        defer { lock.unlock() }
        guard !isReadOnly else {
            throw NSError.coreData(
                NSPersistentStoreSaveError,
                "The store \(url?.path ?? identifier ?? "") was opened read-only, so it can't be saved",
                [NSAffectedStoresErrorKey: [self]])
        }
        let result = try engine.save(body)
        hasChangedMetadata = false
        didCommit()
        StoreWatches.didWrite(self)
        return result
    }

    /// Calls `handler` with the text of each statement that the store sends to its database from now on; see `StatementSource`.
    ///
    /// - Returns: a number for `removeStatementHandler(_:)`; nil for a store without statements.
    package final func addStatementHandler(_ handler: @escaping @Sendable (String) -> Void) -> Int? {
        lock.withLock { engine.statements?.addStatementHandler(handler) }
    }

    package final func removeStatementHandler(_ number: Int) {
        lock.withLock { engine.statements?.removeStatementHandler(number) }
    }

    /// Makes the coordinator post `NSPersistentStoreRemoteChange`.
    final func startWatch() throws {
        let watch = try StoreWatch(self, engine.makeChangeCounter())
        StoreWatches.add(watch)
        self.watch = watch
    }

    final func close() {
        lock.withLock {
            watch?.stop()
            readers.wait()
            engine.close()
        }
    }
}

/// Takes the one row of a look-up by key.
private final class SingleRow: RowConsumer {
    private(set) var row: Row?

    func wantsValues(of key: RowKey) -> Bool { true }
    func take(_ row: Row, for key: RowKey) { self.row = row }
}

/// Takes the rows of a look-up by keys.
private final class RowsByKey: RowConsumer {
    private(set) var rows: [Int64: Row] = [:]

    func wantsValues(of key: RowKey) -> Bool { true }
    func take(_ row: Row, for key: RowKey) { rows[key.key] = row }
}

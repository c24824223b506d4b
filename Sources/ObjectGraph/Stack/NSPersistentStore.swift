import DataModel
public import Foundation
import Storage
import Synchronization

/// A store that a coordinator has open.
///
/// A store of your own is a subclass of ``NSAtomicStore`` or ``NSIncrementalStore``, whose methods call what is here in
/// turn.
// @unchecked Sendable: what changes is the engine, used only under the lock, or guarded by that lock, or set before
// others know the store.
open class NSPersistentStore: NSObject, @unchecked Sendable {
    // Unchecked exclusivity: set once, by `open`, before anybody else knows the store.
    @exclusivity(unchecked) final private(set) var engine: any StorageEngine = DetachedEngine()
    @exclusivity(unchecked) final private(set) var reference = StoreReference(identifier: "", index: -1)
    @exclusivity(unchecked) final private(set) var kind: any StoreKind = RegisteredStoreKind(
        type: "", storeClass: NSPersistentStore.self)
    @exclusivity(unchecked) private final var entityNames: Set<String> = []
    /// Whether the store is of a class of the program's, which is asked for values and references.
    @exclusivity(unchecked) final private(set) var isRegistered = true
    private final let lock = NSRecursiveLock()
    private final let hasChangedMetadata = Atomic(false)
    /// The metadata of a store of a program's class.
    private final var ownMetadata: [String: Any]?
    private final let newIdentifier = UUID().uuidString
    /// The context for which a store of a program's class is asked. Under the lock.
    private final var caller: NSManagedObjectContext?
    private final weak var coordinator: NSPersistentStoreCoordinator?
    private final var watch: StoreWatch?
    /// The readers that use snapshots of their own.
    private final let readers = DispatchGroup()
    /// The rows that the store's own coordinator updated or deleted lately.
    final let recentWrites = RecentWrites()

    /// Whether the coordinator removed the store because its file was destroyed or replaced.
    final var wasRemovedWithItsFile: Bool {
        get { fileIsGone.load(ordering: .relaxed) }
        set { fileIsGone.store(newValue, ordering: .relaxed) }
    }
    private final let fileIsGone = Atomic(false)
    private final let refusesSaving: Atomic<Bool>
    private final let place: Mutex<URL?>
    private final let name: String
    private final let givenOptions: [AnyHashable: Any]?

    /// Makes a store that is not open. Coordinators call it; a subclass that overrides it writes `required`, and passes
    /// its arguments on.
    ///
    /// - Parameters:
    ///   - root: The coordinator that adds the store.
    ///   - name: The name of the configuration whose entities the store holds; nil for all.
    ///   - url: Where the store is.
    ///   - options: The options that the store is added with.
    public required init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        coordinator = root
        self.name = name ?? NSManagedObjectModel.defaultConfigurationName
        place = Mutex(url)
        givenOptions = options
        refusesSaving = Atomic((try? StoreOptions(options))?.isReadOnly ?? false)
        super.init()
    }

    // MARK: Opening

    /// To be called before the store is asked for anything.
    ///
    /// - Parameters:
    ///   - index: The number of the store in its coordinator.
    ///   - url: Nil for a store that is nowhere.
    final func prepare(_ kind: any StoreKind, index: Int, url: URL?, entityNames: Set<String>) {
        self.kind = kind
        self.entityNames = entityNames
        place.withLock { $0 = url }
        reference = StoreReference(identifier: "", index: index)
    }

    /// Takes the engine, with which the store is open. To be called before anybody else knows the store.
    final func open(_ engine: any StorageEngine, identifier: String) {
        self.engine = engine
        isRegistered = kind is RegisteredStoreKind
        reference.settle(identifier)
        reference.store = self
        hasChangedMetadata.store(false, ordering: .releasing)
    }

    /// Opens a store of a program's class, whose metadata are loaded.
    ///
    /// - Returns: Its engine.
    func makeEngine(_ place: StorePlace) throws -> any StorageEngine {
        throw NSError.coreData(
            NSPersistentStoreInvalidTypeError,
            "\(Swift.type(of: self)) can't be a store: it is a subclass of neither NSAtomicStore nor NSIncrementalStore")
    }

    // MARK: What the store is

    /// The type: `NSSQLiteStoreType`, `NSXMLStoreType`, `NSBinaryStoreType`, `NSInMemoryStoreType`, or one of your own.
    ///
    /// A subclass mostly says it itself. If that is another type than the one that the store is added by, it is not
    /// added.
    open var type: String { kind.type.isEmpty ? ownMetadata?[StoreMetadata.typeKey] as? String ?? "" : kind.type }

    /// The name of the configuration whose entities the store holds.
    open var configurationName: String { name }

    /// The options the store was added with.
    open var options: [AnyHashable: Any]? { givenOptions }

    /// Where the store is; nil for a store in memory, unless ``NSPersistentStoreCoordinator/setURL(_:for:)`` gave it a
    /// URL.
    ///
    /// Setting it moves nothing. It is for stores of your own; for others use
    /// ``NSPersistentStoreCoordinator/setURL(_:for:)``.
    open var url: URL? {
        get { place.withLock { $0 } }
        set { place.withLock { $0 = newValue } }
    }

    /// Whether the store refuses to save.
    open var isReadOnly: Bool {
        get { refusesSaving.load(ordering: .relaxed) }
        set { refusesSaving.store(newValue, ordering: .relaxed) }
    }

    /// The store's UUID, which stands in the URLs of its objects' IDs.
    ///
    /// That of a store of your own is in its metadata, under `NSStoreUUIDKey`; without one there it gets one. It is
    /// settled when the store has been added: IDs that exist don't follow a later change.
    open var identifier: String! {
        get {
            guard isRegistered else { return engine.identifier }
            return metadata?[StoreMetadata.identifierKey] as? String ?? newIdentifier
        }
        set {
            guard isRegistered else { return }
            metadata = (metadata ?? [:]).merging([StoreMetadata.identifierKey: newValue ?? newIdentifier]) { $1 }
        }
    }

    /// The coordinator that has the store open.
    public final var persistentStoreCoordinator: NSPersistentStoreCoordinator? { coordinator }

    /// The store's metadata. What is set is written by the next save of a context, even one without changes to objects.
    open var metadata: [String: Any]! {
        get { lock.withLock { isRegistered ? ownMetadata : engine.metadata } }
        set {
            lock.withLock {
                hasChangedMetadata.store(true, ordering: .releasing)
                if isRegistered { ownMetadata = newValue } else { engine.setMetadata(newValue ?? [:]) }
            }
        }
    }

    // MARK: For subclasses

    /// Called when the store is added, before anything else is asked of it: sets ``metadata``, with `NSStoreTypeKey`
    /// and `NSStoreUUIDKey`.
    ///
    /// Unless overridden, it gives a store that has no metadata its type and a new UUID.
    ///
    /// - Throws: What is wrong with the store. It is not added then, and the error comes out as it is.
    open func loadMetadata() throws {
        guard isRegistered, metadata == nil else { return }
        metadata = [StoreMetadata.typeKey: type, StoreMetadata.identifierKey: newIdentifier]
    }

    /// Called when the coordinator has added the store. Does nothing unless overridden.
    open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

    /// Called before the coordinator removes the store. Does nothing unless overridden.
    open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

    /// The metadata of a store that need not be open. A store of your own overrides it, if it is ever asked for.
    ///
    /// - Throws: 134091 unless overridden.
    open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        throw StoreKinds.unsupported(
            "The metadata of \(url) can't be read", type: "\(self)",
            reason: "\(self) does not override metadataForPersistentStore(with:)")
    }

    /// Writes the metadata of a store that need not be open. A store of your own overrides it, if it is ever asked for.
    ///
    /// - Throws: 134091 unless overridden.
    open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        throw StoreKinds.unsupported(
            "The metadata of \(url) can't be written", type: "\(self)",
            reason: "\(self) does not override setMetadata(_:forPersistentStoreAt:)")
    }

    // MARK: What stores of programs' classes are asked

    /// The keys of new objects, in the order of the objects; nil where the engine numbers its rows.
    func newKeys(for objects: [NSManagedObject], in context: NSManagedObjectContext) throws -> [Int64]? { nil }

    /// Writes what a save has written into the engine, in whose transaction it is called.
    ///
    /// - Parameter others: Work that must succeed, too. If it fails, the store takes back what it can.
    func write(_ changes: StoreChanges, in context: NSManagedObjectContext, _ others: () throws -> Void) throws { try others() }

    final var hasUnsavedMetadata: Bool { hasChangedMetadata.load(ordering: .acquiring) }

    /// Takes part in a save that has nothing for this store.
    func saveNothing(in context: NSManagedObjectContext) throws {
        guard hasUnsavedMetadata else { return }
        try save(for: context) { _ in }
    }

    /// The dictionaries that a request asks for; nil where the object graph makes them.
    func dictionaries(_ settings: FetchSettings, for context: NSManagedObjectContext) throws -> [NSDictionary]? { nil }

    /// What is to be done when the store's engine is closed.
    func didClose() {}

    /// Runs `body` under the store's lock, on behalf of a context.
    final func asked<Result>(by context: NSManagedObjectContext?, _ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        let outer = enter(for: context)
        defer { leave(outer) }
        return try body()
    }

    /// - Returns: The context for which the store was asked before.
    private final func enter(for context: NSManagedObjectContext?) -> NSManagedObjectContext? {
        guard isRegistered else { return nil }
        let outer = caller
        if let context { caller = context }
        return outer
    }

    /// Ends what `enter` began, and releases the lock.
    private final func leave(_ outer: NSManagedObjectContext?) {
        if isRegistered { caller = outer }
        lock.unlock()
    }

    /// Runs `body` with the context for which the store is asked, or with one of its own if it is asked for none. To be
    /// called under the lock.
    final func withCaller<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        if let caller { return try body(caller) }
        let scratch = NSManagedObjectContext(.privateQueue)
        scratch.persistentStoreCoordinator = coordinator
        return try scratch.queue.owning { try body(scratch) }
    }

    final func holds(_ entityName: String) -> Bool { entityNames.contains(entityName) }

    // MARK: Reading

    /// Runs `body` with where rows are read.
    ///
    /// The engine makes one call at a time. A reader that finds it busy reads beside it, if it has a source for that; otherwise
    /// they wait. A thread that saves finds the engine its own, and what the save has written so far.
    ///
    /// - Parameters:
    ///   - generation: The state of the store to read; nil for the newest.
    ///   - context: For whom the store is asked.
    /// - Returns: Nil if the store has nothing in that state.
    private final func read<Result>(
        in generation: QueryGeneration?, for context: NSManagedObjectContext? = nil,
        _ body: (any RowSource) throws -> Result
    ) throws -> Result? {
        try generation?.prepare()
        if !lock.try() {
            if generation == nil, let result = try engine.readBeside(body) { return result }
            lock.lock()
        }
        let outer = enter(for: context)
        defer { leave(outer) }
        guard let generation else { return try body(engine) }
        return try source(in: generation).map(body)
    }

    /// - Parameters:
    ///   - generation: the state of the store to read; nil for the newest.
    ///   - context: whose objects are to be found.
    final func fetch(
        _ request: RowRequest, into consumer: some RowConsumer, in generation: QueryGeneration? = nil,
        for context: NSManagedObjectContext? = nil
    ) throws {
        try read(in: generation, for: context) { try $0.fetch(request, into: consumer) }
    }

    final func fetchMembers(
        of relationship: RelationshipLayout, owners: [Int64], into consumer: some MemberConsumer,
        in generation: QueryGeneration? = nil, for context: NSManagedObjectContext? = nil
    ) throws {
        try read(in: generation, for: context) { try $0.fetchMembers(of: relationship, owners: owners, into: consumer) }
    }

    /// A binary value that is stored in a file of its own.
    final func externalValue(_ file: UUID) throws -> Data? { try read(in: nil) { try $0.externalValue(file) } }

    final func count(
        _ request: RowRequest, in generation: QueryGeneration? = nil, for context: NSManagedObjectContext? = nil
    ) throws -> Int {
        try read(in: generation, for: context) { try $0.count(request) } ?? 0
    }

    /// Computes columns. For stores whose engine evaluates queries.
    final func fetchColumns(
        _ request: ColumnRequest, in generation: QueryGeneration?, _ take: ([RowValue?]) -> Void
    ) throws {
        try read(in: generation) { source in
            guard let columns = source.columns else {
                throw StoreKinds.unsupported("Columns can't be computed", type: type, [NSAffectedStoresErrorKey: [self]])
            }
            try columns.fetchColumns(request, take)
        }
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
        try generation?.prepare()
        return try lock.withLock {
            let moment = now
            guard let source = generation.map({ self.source(in: $0) }) ?? engine else { return moment }
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

    private final func source(in generation: QueryGeneration) -> (any RowSource)? {
        switch generation.place(of: self) {
        case .newest: engine
        case .snapshot(let source): source
        case .nowhere: nil
        }
    }

    final var hasSnapshots: Bool { lock.withLock { engine.hasSnapshots } }

    final func makeSnapshot() throws -> (any RowSource)? { try lock.withLock { try engine.makeSnapshot() } }

    final func loadRow(
        _ entity: EntityLayout, key: Int64, in generation: QueryGeneration? = nil, for context: NSManagedObjectContext? = nil
    ) throws -> Row? {
        var request = RowRequest(entity, selection: .keys([key]))
        request.includesSubentities = false
        let consumer = SingleRow()
        try fetch(request, into: consumer, in: generation, for: context)
        return consumer.found?.row
    }

    final func loadRows(_ entity: EntityLayout, keys: [Int64]) throws -> [Int64: Row] {
        var request = RowRequest(entity, selection: .keys(keys))
        request.includesSubentities = false
        let consumer = RowsByKey()
        try fetch(request, into: consumer)
        return consumer.rows
    }

    /// - Parameters:
    ///   - context: whose changes are saved.
    ///   - didCommit: called before other threads can use the store again.
    final func save<Result>(
        for context: NSManagedObjectContext? = nil, _ body: (any SaveTransaction) throws -> Result, didCommit: () -> Void = {}
    ) throws -> Result {
        try asked(by: context) { try write(body, didCommit) }
    }

    private final func write<Result>(_ body: (any SaveTransaction) throws -> Result, _ didCommit: () -> Void) throws -> Result {
        guard !isReadOnly else {
            throw NSError.coreData(
                NSPersistentStoreSaveError,
                "The store \(url?.path ?? identifier ?? "") was opened read-only, so it can't be saved",
                [NSAffectedStoresErrorKey: [self]])
        }
        let result = try engine.save(body)
        hasChangedMetadata.store(false, ordering: .releasing)
        didCommit()
        StoreWatches.didWrite(self)
        return result
    }

    /// Calls `handler` with the text of each statement that the store sends to its database from now on; see
    /// `StatementSource`.
    ///
    /// - Returns: a number for `removeStatementHandler(_:)`; nil for a store without statements.
    package final func addStatementHandler(_ handler: @escaping @Sendable (String) -> Void) -> Int? {
        lock.withLock { engine.statements?.addStatementHandler(handler) }
    }

    package final func removeStatementHandler(_ number: Int) {
        lock.withLock { engine.statements?.removeStatementHandler(number) }
    }

    /// See `StatementSource`; nil for a store without statements.
    package final func plan(ofStatement statement: String) throws -> [String]? {
        try lock.withLock { try engine.statements?.plan(of: statement) }
    }

    /// What the database finds damaged in its file; nil for a store without one.
    package final func damages() throws -> [String]? {
        try lock.withLock { try engine.statements?.damages() }
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
            didClose()
        }
    }
}

/// Takes the rows of a look-up by keys.
private final class RowsByKey: RowConsumer {
    private(set) var rows: [Int64: Row] = [:]

    func wantsValues(of key: RowKey) -> Bool { true }
    func take(_ row: Row, for key: RowKey) { rows[key.key] = row }
}

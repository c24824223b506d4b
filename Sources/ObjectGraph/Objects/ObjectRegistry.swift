import CSwiftRuntime
import DataModel
import Foundation
import Storage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The objects of one entity that one context knows, by key. It makes sure that a row has one object in a context
/// (uniquing).
///
/// The table holds no references: an object removes itself in `deinit`, on any thread. All use of the table is under
/// the record's mutex. A look-up that finds an object retains it with `swift_tryRetain`, which answers null for one
/// that is already being destroyed; the caller then makes a new object that takes its place.
///
/// Lifetime: every object points at the record it was registered in. `live` counts these objects, under the mutex. The
/// context releases its records when it ends or is reset (`abandon`); the record is freed when it is abandoned and its
/// last object is gone.
@usableFromInline
struct ObjectRegistry {
    struct Entry {
        var key: Int64
        var object: UnsafeMutableRawPointer?
    }

    @usableFromInline
    struct Record {
        /// The ID of `layout`, for accessors.
        @usableFromInline let layoutID: UInt32
        var mutex = pthread_mutex_t()
        var entries: UnsafeMutablePointer<Entry>
        var capacity: Int
        var count = 0
        var live = 0
        /// Unretained; nil once the context is gone or was reset.
        var context: Unmanaged<NSManagedObjectContext>?
        let isDetached: Bool
        /// Whether the store is told which objects contexts have.
        let tellsStore: Bool
        /// Retained by the record.
        let runtime: Unmanaged<ModelRuntime>
        /// Borrowed from `runtime`.
        let layout: Unmanaged<EntityLayout>
        /// Borrowed from `layout`.
        let description: Unmanaged<NSEntityDescription>
        /// Retained by the record; nil for objects that no store has yet.
        let store: Unmanaged<StoreReference>?
        let objectClass: NSManagedObject.Type
    }

    @usableFromInline let record: UnsafeMutablePointer<Record>

    /// - Parameters:
    ///   - context: nil for objects without a context.
    ///   - store: nil for objects that are not saved yet.
    init(runtime: ModelRuntime, entity: Int, context: NSManagedObjectContext?, store: StoreReference?) {
        let capacity = context == nil ? 2 : 16
        let layout = runtime.layout.entities[entity]
        record = .allocate(capacity: 1)
        record.initialize(
            to: Record(
                layoutID: layout.layoutID, entries: Self.emptyTable(capacity), capacity: capacity,
                context: context.map(Unmanaged.passUnretained), isDetached: context == nil,
                tellsStore: context != nil && store?.hearsOfObjects == true, runtime: .passRetained(runtime),
                layout: .passUnretained(layout), description: .passUnretained(layout.description),
                store: store.map(Unmanaged.passRetained),
                objectClass: runtime.classes[entity]))
        pthread_mutex_init(&record.pointee.mutex, nil)
    }

    @inline(__always) init(record: UnsafeMutablePointer<Record>) { self.record = record }

    private static func emptyTable(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
        // Fresh memory from the system is zero already, as empty entries are, so it need not be written.
        guard let memory = calloc(capacity, MemoryLayout<Entry>.stride) else { fatalError("Out of memory") }
        return memory.bindMemory(to: Entry.self, capacity: capacity)
    }

    @inline(__always) var layout: EntityLayout { record.pointee.layout._withUnsafeGuaranteedRef { $0 } }
    @inline(__always) var runtime: ModelRuntime { record.pointee.runtime._withUnsafeGuaranteedRef { $0 } }
    @inline(__always) var store: StoreReference? { record.pointee.store?._withUnsafeGuaranteedRef { $0 } }

    /// Whether the registry is the one of an entity, which may belong to an equal model.
    @inline(__always) func holds(_ entity: NSEntityDescription) -> Bool {
        record.pointee.description.toOpaque() == Unmanaged.passUnretained(entity).toOpaque() || layout.name == entity.name
    }

    @inline(__always) private func lock() { pthread_mutex_lock(&record.pointee.mutex) }
    @inline(__always) private func unlock() { pthread_mutex_unlock(&record.pointee.mutex) }

    /// Eight neighbouring keys share two cache lines: objects are mostly made, looked up and freed in the order of
    /// their keys. The groups are scattered, so that keys at regular distances don't pile up.
    @inline(__always) private func bucket(of key: Int64, mask: Int) -> Int {
        let group = (UInt64(bitPattern: key >> 3) &* 0x9E37_79B9_7F4A_7C15) >> 32
        return Int(truncatingIfNeeded: group << 3 | UInt64(bitPattern: key & 7)) & mask
    }

    func withLock<Result>(_ body: () -> Result) -> Result {
        lock()
        defer { unlock() }
        return body()
    }

    // MARK: Objects

    /// The registered object, retained, unless it is being destroyed.
    func object(_ key: Int64) -> NSManagedObject? {
        lock()
        defer { unlock() }
        let mask = record.pointee.capacity - 1
        var index = bucket(of: key, mask: mask)
        while let pointer = record.pointee.entries[index].object {
            if record.pointee.entries[index].key == key {
                guard let retained = swift_tryRetain(pointer) else { return nil }
                return Unmanaged<NSManagedObject>.fromOpaque(retained).takeRetainedValue()
            }
            index = (index + 1) & mask
        }
        return nil
    }

    /// Makes room for `count` more objects.
    func reserve(_ count: Int) {
        lock()
        defer { unlock() }
        growIfNeeded(for: record.pointee.count + count)
    }

    /// Adds an object that points at this record. It replaces a dying object with the same key.
    func insert(_ object: NSManagedObject, key: Int64) {
        lock()
        defer { unlock() }
        record.pointee.live += 1
        insertEntry(Unmanaged.passUnretained(object).toOpaque(), key: key)
    }

    /// Adds an object that points at this record, unless another object has its key. The result is that object then.
    @inline(__always) func insertNew(_ object: NSManagedObject, key: Int64) -> NSManagedObject? {
        lock()
        defer { unlock() }
        record.pointee.live += 1
        return insertEntry(Unmanaged.passUnretained(object).toOpaque(), key: key, keepsKnown: true)
    }

    /// Counts an object that points at this record without having a key yet.
    func adopt() {
        lock()
        record.pointee.live += 1
        unlock()
    }

    /// Undoes one `adopt()`.
    func leave() {
        lock()
        record.pointee.live -= 1
        finish()
    }

    /// - Parameter keepsKnown: Whether an object that has the key already, and is not being destroyed, keeps its entry
    ///   and is the result.
    @discardableResult
    private func insertEntry(_ pointer: UnsafeMutableRawPointer, key: Int64, keepsKnown: Bool = false) -> NSManagedObject? {
        growIfNeeded(for: record.pointee.count + 1)
        let mask = record.pointee.capacity - 1
        var index = bucket(of: key, mask: mask)
        while record.pointee.entries[index].object != nil {
            if record.pointee.entries[index].key == key {
                if keepsKnown, let known = record.pointee.entries[index].object, let retained = swift_tryRetain(known) {
                    return Unmanaged<NSManagedObject>.fromOpaque(retained).takeRetainedValue()
                }
                record.pointee.entries[index].object = pointer
                return nil
            }
            index = (index + 1) & mask
        }
        record.pointee.entries[index] = Entry(key: key, object: pointer)
        record.pointee.count += 1
        return nil
    }

    private func growIfNeeded(for count: Int) {
        guard count * 4 > record.pointee.capacity * 3 else { return }
        var capacity = record.pointee.capacity
        while count * 4 > capacity * 3 { capacity *= 2 }
        let old = record.pointee.entries
        let oldCapacity = record.pointee.capacity
        record.pointee.entries = Self.emptyTable(capacity)
        record.pointee.capacity = capacity
        let mask = capacity - 1
        for position in 0..<oldCapacity where old[position].object != nil {
            var index = bucket(of: old[position].key, mask: mask)
            while record.pointee.entries[index].object != nil { index = (index + 1) & mask }
            record.pointee.entries[index] = old[position]
        }
        free(old)
    }

    /// Removes an object's entry, if the entry is still the object's own. With `leaves`, the object also stops keeping
    /// the record alive.
    func remove(_ object: UnsafeMutableRawPointer, key: Int64, leaves: Bool) {
        lock()
        removeEntry(object, key: key)
        if leaves { record.pointee.live -= 1 }
        finish()
    }

    private func removeEntry(_ object: UnsafeMutableRawPointer, key: Int64) {
        let mask = record.pointee.capacity - 1
        var index = bucket(of: key, mask: mask)
        while let pointer = record.pointee.entries[index].object {
            guard record.pointee.entries[index].key == key else {
                index = (index + 1) & mask
                continue
            }
            if pointer == object { closeGap(at: index, mask: mask) }
            return
        }
    }

    /// Moves later entries of the probe sequence up, so that look-ups need no tombstones.
    private func closeGap(at start: Int, mask: Int) {
        let entries = record.pointee.entries
        var gap = start
        var next = (gap + 1) & mask
        while entries[next].object != nil {
            let home = bucket(of: entries[next].key, mask: mask)
            if (next &- home) & mask >= (next &- gap) & mask {
                entries[gap] = entries[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        entries[gap] = Entry(key: 0, object: nil)
        record.pointee.count -= 1
    }

    /// All objects that are not being destroyed, retained.
    func objects() -> [NSManagedObject] {
        lock()
        defer { unlock() }
        var result: [NSManagedObject] = []
        result.reserveCapacity(record.pointee.count)
        for index in 0..<record.pointee.capacity {
            guard let pointer = record.pointee.entries[index].object, let retained = swift_tryRetain(pointer) else { continue }
            result.append(Unmanaged<NSManagedObject>.fromOpaque(retained).takeRetainedValue())
        }
        return result
    }

    // MARK: Life

    /// The context, retained, unless it is gone. Callable on every thread.
    var context: NSManagedObjectContext? {
        lock()
        defer { unlock() }
        guard let context = record.pointee.context, let retained = swift_tryRetain(context.toOpaque()) else { return nil }
        return Unmanaged<NSManagedObjectContext>.fromOpaque(retained).takeRetainedValue()
    }

    /// Separates the record from its context, which is ending or being reset. Objects that are still held elsewhere
    /// have no context from now on.
    func abandon() {
        if record.pointee.tellsStore { tellUnregistered(objects().map(\.key)) }
        lock()
        record.pointee.context = nil
        let entries = record.pointee.entries
        for index in 0..<record.pointee.capacity { entries[index].object = nil }
        record.pointee.count = 0
        finish()
    }

    /// Unlocks, and frees a record that is not needed any longer.
    private func finish() {
        let isFree = record.pointee.live == 0 && record.pointee.context == nil
        unlock()
        guard isFree else { return }
        pthread_mutex_destroy(&record.pointee.mutex)
        free(record.pointee.entries)
        record.pointee.store?.release()
        record.pointee.runtime.release()
        record.deinitialize(count: 1)
        record.deallocate()
    }
}

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
/// The pages hold no references: an object removes itself in `deinit`, on any thread. All use of the pages is under
/// the record's mutex. A look-up that finds an object retains it with `swift_tryRetain`, which answers null for one
/// that is already being destroyed; the caller then makes a new object that takes its place.
///
/// Lifetime: every object points at the record it was registered in. `live` counts these objects, under the mutex. The
/// context releases its records when it ends or is reset (`abandon`); the record is freed when it is abandoned and its
/// last object is gone.
@usableFromInline
struct ObjectRegistry {
    @usableFromInline
    struct Record {
        /// The ID of `layout`, for accessors.
        @usableFromInline let layoutID: UInt32
        var mutex = pthread_mutex_t()
        var pages = ObjectPages()
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
        /// The context's registries of the same store, by entity index, while there is a context. Nil for objects that no
        /// store has yet.
        let neighbours: UnsafeMutablePointer<ObjectRegistry?>?
    }

    @usableFromInline let record: UnsafeMutablePointer<Record>

    /// - Parameters:
    ///   - context: nil for objects without a context.
    ///   - store: nil for objects that are not saved yet.
    ///   - neighbours: The context's registries of the store, which stay until this one is abandoned.
    init(
        runtime: ModelRuntime, entity: Int, context: NSManagedObjectContext?, store: StoreReference?,
        neighbours: UnsafeMutablePointer<ObjectRegistry?>? = nil
    ) {
        let layout = runtime.layout.entities[entity]
        record = .allocate(capacity: 1)
        record.initialize(
            to: Record(
                layoutID: layout.layoutID, context: context.map(Unmanaged.passUnretained), isDetached: context == nil,
                tellsStore: context != nil && store?.hearsOfObjects == true, runtime: .passRetained(runtime),
                layout: .passUnretained(layout), description: .passUnretained(layout.description),
                store: store.map(Unmanaged.passRetained),
                objectClass: runtime.classes[entity], neighbours: store == nil ? nil : neighbours))
        pthread_mutex_init(&record.pointee.mutex, nil)
    }

    @inline(__always) init(record: UnsafeMutablePointer<Record>) { self.record = record }

    @inline(__always) var layout: EntityLayout { record.pointee.layout._withUnsafeGuaranteedRef { $0 } }
    @inline(__always) var runtime: ModelRuntime { record.pointee.runtime._withUnsafeGuaranteedRef { $0 } }
    @inline(__always) var store: StoreReference? { record.pointee.store?._withUnsafeGuaranteedRef { $0 } }

    /// Whether the registry is the one of an entity, which may belong to an equal model.
    @inline(__always) func holds(_ entity: NSEntityDescription) -> Bool {
        record.pointee.description.toOpaque() == Unmanaged.passUnretained(entity).toOpaque() || layout.name == entity.name
    }

    @inline(__always) private func lock() { pthread_mutex_lock(&record.pointee.mutex) }
    @inline(__always) private func unlock() { pthread_mutex_unlock(&record.pointee.mutex) }

    /// The registry of another entity in the same store and context, if it was needed before. It may be asked for on the
    /// context's queue only.
    @inline(__always) func neighbour(_ entity: Int) -> ObjectRegistry? {
        record.pointee.context == nil ? nil : record.pointee.neighbours?[entity]
    }

    func withLock<Result>(_ body: () -> Result) -> Result {
        lock()
        defer { unlock() }
        return body()
    }

    // MARK: Objects

    /// Whether no object is registered. It stays so until the context registers one: other threads only remove objects.
    var isEmpty: Bool { withLock { record.pointee.pages.isEmpty } }

    /// The registered object, retained, unless it is being destroyed.
    func object(_ key: Int64) -> NSManagedObject? {
        lock()
        defer { unlock() }
        return record.pointee.pages.place(of: key).flatMap(Self.retained)
    }

    @inline(__always) private static func retained(_ place: UnsafeMutablePointer<ObjectPages.Object?>) -> NSManagedObject? {
        guard let pointer = place.pointee, let retained = swift_tryRetain(pointer) else { return nil }
        return Unmanaged<NSManagedObject>.fromOpaque(retained).takeRetainedValue()
    }

    /// Adds an object that points at this record. It replaces a dying object with the same key.
    func insert(_ object: NSManagedObject, key: Int64) {
        lock()
        defer { unlock() }
        record.pointee.live += 1
        let pointer = Unmanaged.passUnretained(object).toOpaque()
        if let place = record.pointee.pages.place(of: key) {
            place.pointee = pointer
        } else {
            record.pointee.pages.add(pointer, key: key)
        }
    }

    /// Adds an object that points at this record, unless another object has its key. The result is that object then.
    @inline(__always) func insertNew(_ object: NSManagedObject, key: Int64) -> NSManagedObject? {
        lock()
        defer { unlock() }
        record.pointee.live += 1
        let pointer = Unmanaged.passUnretained(object).toOpaque()
        guard let place = record.pointee.pages.place(of: key) else {
            record.pointee.pages.add(pointer, key: key)
            return nil
        }
        if let known = Self.retained(place) { return known }
        place.pointee = pointer
        return nil
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

    /// Removes an object that pointed at this record: its entry, if that is still the object's own, and what keeps the record.
    func remove(_ object: UnsafeMutableRawPointer, key: Int64) {
        lock()
        record.pointee.pages.remove(object, key: key)
        record.pointee.live -= 1
        finish()
    }

    /// All objects that are not being destroyed, retained.
    func objects() -> [NSManagedObject] {
        lock()
        defer { unlock() }
        var result: [NSManagedObject] = []
        record.pointee.pages.forEach {
            guard let retained = swift_tryRetain($0) else { return }
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
        record.pointee.pages.deallocate()
        record.pointee.pages = ObjectPages()
        finish()
    }

    /// Unlocks, and frees a record that is not needed any longer.
    private func finish() {
        let isFree = record.pointee.live == 0 && record.pointee.context == nil
        unlock()
        guard isFree else { return }
        pthread_mutex_destroy(&record.pointee.mutex)
        record.pointee.pages.deallocate()
        record.pointee.store?.release()
        record.pointee.runtime.release()
        record.deinitialize(count: 1)
        record.deallocate()
    }
}

public import DataModel
public import Foundation
import Storage
import Synchronization

/// Names a managed object across contexts, threads and, once it is permanent, launches.
///
/// IDs are immutable and may be used on every thread. Two IDs are equal if they name the same row of the same store; a
/// temporary ID equals only itself. It still finds the object after the save: contexts then give the object with the
/// permanent ID.
///
/// `@unchecked Sendable`: all stored properties are constants, except for one that is atomic.
public final class NSManagedObjectID: NSObject, NSCopying, NSFetchRequestResult, @unchecked Sendable {
    let runtime: ModelRuntime
    let entityIndex: Int
    package let key: Int64
    /// Nil for a temporary ID.
    let storeReference: StoreReference?
    private let hashCode: Int
    private let permanent = AtomicLazyReference<NSManagedObjectID>()

    init(runtime: ModelRuntime, entityIndex: Int, key: Int64, store: StoreReference?) {
        self.runtime = runtime
        self.entityIndex = entityIndex
        self.key = key
        storeReference = store
        hashCode = Int(truncatingIfNeeded: UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15)
        super.init()
    }

    /// The permanent ID of the object that had this temporary one.
    var successor: NSManagedObjectID? { permanent.load() }

    func becomePermanent(_ id: NSManagedObjectID) { _ = permanent.storeIfNil(id) }

    /// The entity of the object.
    public var entity: NSEntityDescription { runtime.layout.entities[entityIndex].description }

    /// The store that has the object; nil for a temporary ID and after the store was removed.
    public var persistentStore: NSPersistentStore? { storeReference?.store }

    /// Whether the object was neither saved nor given a permanent ID.
    public var isTemporaryID: Bool { storeReference == nil }

    /// The ID as a URL, which can be stored if the ID is permanent: `x-coredata://<store UUID>/<entity>/p<key>`.
    ///
    /// In stores of your own (``NSAtomicStore``, ``NSIncrementalStore``) the reference object stands for the key: a
    /// number or a UUID as it is, a text percent-encoded, with an apostrophe before it if it looks like a number or a
    /// UUID, data as base 64 for URLs after an equals sign. Apple's framework leaves `/` in texts, and does not decode
    /// them again.
    public func uriRepresentation() -> URL {
        let entityName = entity.name ?? ""
        let text =
            storeReference.map {
                let layout = runtime.layout
                return "x-coredata://\($0.identifier)/\(entityName)/\($0.urlText(of: key, layout.entities[entityIndex], layout))"
            }
            ?? "x-coredata:///\(entityName)/t\(TemporaryKeys.uuidString(for: key))"
        guard let url = URL(string: text) else { return URL(fileURLWithPath: "/\(entityName)/\(key)") }
        return url
    }

    /// Equal for IDs of the same object.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectID else { return false }
        return self === other
            || key == other.key && storeReference?.identifier == other.storeReference?.identifier
                && rootName == other.rootName
    }

    private var rootName: String { runtime.layout.entities[runtime.layout.entities[entityIndex].root].name }

    /// Consistent with `isEqual(_:)`.
    public override var hash: Int { hashCode }

    /// The same ID.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// The URL's text.
    public override var description: String { "<\(uriRepresentation().absoluteString)>" }
}

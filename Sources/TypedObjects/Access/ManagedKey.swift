import ObjectGraph
import Synchronization

/// The name of a property together with the slot where objects keep it.
///
/// `@Managed` makes one for each property that it is written at. The slot is looked up once for each property layout and then remembered.
public final class ManagedKey: Sendable {
    /// The name of the property in the model.
    public let name: String

    /// The layout's number in the upper half, the slot in the lower. No layout has the number that the cache starts with.
    @usableFromInline let cache = Atomic<UInt64>(.max)

    /// Makes a key.
    ///
    /// - Parameter name: the name of the property in the model.
    public init(_ name: String) {
        self.name = name
    }

    /// The slot where an object keeps the property. An object whose entity has no such property stops the program.
    @inlinable
    public func slot(in object: NSManagedObject) -> Int {
        let cached = cache.load(ordering: .relaxed)
        return cached >> 32 == UInt64(object._layoutID) ? Int(cached & 0xFFFF_FFFF) : lookUpSlot(in: object)
    }

    @usableFromInline
    @inline(never)
    func lookUpSlot(in object: NSManagedObject) -> Int {
        guard let slot = object._slot(forKey: name) else {
            fatalError(
                "\(type(of: object)).\(name): the entity “\(object.entity.name ?? "")” has no property of this name (\(object.objectID))"
            )
        }
        cache.store(UInt64(object._layoutID) << 32 | UInt64(slot), ordering: .relaxed)
        return slot
    }
}

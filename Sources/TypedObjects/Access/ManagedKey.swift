import ObjectGraph
import Synchronization

/// The name of a property together with the slot where objects keep it.
///
/// `@Managed` makes one for each property that it is written at. The slot is looked up, and the Swift type compared with the model, once for each
/// property layout and then remembered.
public final class ManagedKey: Sendable {
    /// The name of the property in the model.
    public let name: String

    /// The layout's number in the upper half, the slot in the lower. No layout has the number that the cache starts with.
    @usableFromInline let cache = Atomic<UInt64>(.max)

    private let declare: @Sendable (inout TypedSchema) -> Void

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - name: the name of the property in the model.
    ///   - declare: adds the property to a schema, which tells its type.
    public init(_ name: String, _ declare: @escaping @Sendable (inout TypedSchema) -> Void) {
        self.name = name
        self.declare = declare
    }

    /// The slot where an object keeps the property. An object whose entity has no such property, or one of another type, stops the program.
    @inlinable
    public func slot(in object: NSManagedObject) -> Int {
        let cached = cache.load(ordering: .relaxed)
        return cached >> 32 == UInt64(object._layoutID) ? Int(cached & 0xFFFF_FFFF) : lookUpSlot(in: object)
    }

    @usableFromInline
    @inline(never)
    func lookUpSlot(in object: NSManagedObject) -> Int {
        var schema = TypedSchema(entityName: object.entity.name ?? "", type: type(of: object), superclass: NSManagedObject.self)
        declare(&schema)
        if let mismatch = TypeCheck.mismatches(of: schema.properties, in: "\(type(of: object))", with: object.entity).first {
            fatalError("\(mismatch) (\(object.objectID))")
        }
        guard let slot = object._slot(forKey: name) ?? object.compositeSlot(forKey: name) else {
            fatalError("\(type(of: object)).\(name): the entity “\(object.entity.name ?? "")” keeps no such property")
        }
        cache.store(UInt64(object._layoutID) << 32 | UInt64(slot), ordering: .relaxed)
        return slot
    }
}

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

    /// For a name such as `primitiveDate`: the name of the property whose primitive value is meant where the entity has none of the name itself.
    @usableFromInline let primitiveName: String?

    private let declare: @Sendable (inout TypedSchema) -> Void

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - name: the name of the property in the model.
    ///   - declare: adds the property to a schema, which tells its type.
    public init(_ name: String, _ declare: @escaping @Sendable (inout TypedSchema) -> Void) {
        self.name = name
        self.declare = declare
        let prefix = "primitive"
        let rest = name.dropFirst(prefix.count)
        let isPrimitive = name.hasPrefix(prefix) && rest.first?.isUppercase == true
        primitiveName = isPrimitive ? rest.prefix(1).lowercased() + rest.dropFirst() : nil
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
        let storedName = primitive(in: object) ?? name
        let properties = schema.properties.map { $0.stored(as: storedName) }
        if let mismatch = TypeCheck.mismatches(of: properties, in: "\(type(of: object))", with: object.entity).first {
            fatalError("\(mismatch) (\(object.objectID))")
        }
        guard let slot = object._slot(forKey: storedName) ?? object.compositeSlot(forKey: storedName) else {
            fatalError("\(type(of: object)).\(name): the entity “\(object.entity.name ?? "")” has no such property")
        }
        cache.store(UInt64(object._layoutID) << 32 | UInt64(slot), ordering: .relaxed)
        return slot
    }

    /// The name of the property whose primitive value is meant; nil if the key means a property of its own name.
    @usableFromInline
    @inline(never)
    func primitive(in object: NSManagedObject) -> String? {
        guard let primitiveName else { return nil }
        let known = object.entity.propertiesByName
        // `primitiveURL` may stand for `URL`, as `primitiveDate` does for `date`.
        return known[name] != nil ? nil : [primitiveName, String(name.dropFirst(9))].first { known[$0] != nil }
    }
}

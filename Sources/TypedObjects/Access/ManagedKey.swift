import ObjectGraph
import Synchronization

/// The name of a property together with the slot where objects keep it.
///
/// `@Managed` makes one for each property that it is written at. The slot is looked up, and the Swift type compared with the model, once for each
/// property layout and then remembered.
public final class ManagedKey: Sendable {
    /// How the values are kept.
    public enum Form: Sendable {
        /// As the type itself says.
        case plain
        /// As JSON.
        case coded
        /// As what a value transformer makes of them.
        case transformed
        /// They aren't: they are what a fetch finds.
        case fetched
    }

    /// The name of the property in the model.
    public let name: String

    /// The layout's number in the upper half, the slot in the lower. No layout has the number that the cache starts with.
    @usableFromInline let cache = Atomic<UInt64>(.max)

    /// For a name such as `primitiveDate`: the name of the property whose primitive value is meant where the entity has none of the name itself.
    @usableFromInline let primitiveName: String?

    let type: Any.Type
    private let form: Form
    private let property: String
    private let file: StaticString
    private let line: Int

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - name: the name of the property in the model.
    ///   - type: the Swift type.
    ///   - form: how the values are kept.
    ///   - property: the name in Swift, if it is another one.
    ///   - file: where the property is declared.
    ///   - line: where the property is declared.
    public init(
        _ name: String, _ type: Any.Type, form: Form = .plain, property: String? = nil, file: StaticString = "", line: Int = 0
    ) {
        self.name = name
        self.type = type
        self.form = form
        self.property = property ?? name
        self.file = file
        self.line = line
        let prefix = "primitive"
        let rest = name.dropFirst(prefix.count)
        let isPrimitive = name.hasPrefix(prefix) && rest.first?.isUppercase == true
        primitiveName = isPrimitive ? rest.prefix(1).lowercased() + rest.dropFirst() : nil
    }

    /// What slots are at least that can't be read or written as the property's type: their values are converted, as key-value coding has them.
    @inlinable static var firstConvertedSlot: Int { 0x4000_0000 }

    /// The slot where an object keeps the property, or a number from `firstConvertedSlot` on. An object whose entity has no such property, or one that can't
    /// be converted to the type, stops the program.
    @inlinable
    func slot(in object: NSManagedObject) -> Int {
        let cached = cache.load(ordering: .relaxed)
        return cached >> 32 == UInt64(object._layoutID) ? Int(cached & 0xFFFF_FFFF) : lookUpSlot(in: object)
    }

    @usableFromInline
    @inline(never)
    func lookUpSlot(in object: NSManagedObject) -> Int {
        let storedName = storedName(in: object)
        var slot = object._slot(forKey: storedName) ?? object.compositeSlot(forKey: storedName)
        var schema = TypedSchema(
            entityName: object.entity.name ?? "", type: Swift.type(of: object), superclass: NSManagedObject.self)
        schema.add(managed: property, type, storedName: storedName, form: form)
        let place = line > 0 ? "\(file):\(line): " : ""
        if let mismatch = TypeCheck.mismatches(of: schema.properties, in: "\(Swift.type(of: object))", with: object.entity).first
        {
            guard form == .plain, let attribute = object.entity.attributesByName[storedName],
                ConvertedValue.isPossible(type, attribute.attributeType)
            else { fatalError("\(place)\(mismatch) (\(object.objectID))") }
            slot = Self.firstConvertedSlot
        }
        guard let slot else {
            fatalError(
                "\(place)\(Swift.type(of: object)).\(property): the entity “\(object.entity.name ?? "")” has no such property")
        }
        cache.store(UInt64(object._layoutID) << 32 | UInt64(slot), ordering: .relaxed)
        return slot
    }

    /// The name in the model of the property whose value is meant.
    func storedName(in object: NSManagedObject) -> String { primitive(in: object) ?? name }

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

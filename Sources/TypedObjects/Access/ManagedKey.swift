import DataModel
public import ObjectGraph
public import Synchronization

/// The name of a property together with the slot where objects keep it.
///
/// `@Managed` makes a key for each property that it is attached to. The key looks up the slot and compares the Swift type with
/// the model once for each entity, and then remembers the result.
///
/// All stored properties are constants, so the compiler can put the key into the program's static data. A key that is made at run
/// time would cost a check at each access.
public struct _ManagedKey: ~Copyable, Sendable {
    /// How the values are kept.
    public enum Form: Sendable {
        /// In the form that the type defines.
        case plain
        /// As JSON.
        case coded
        /// As the result of a value transformer.
        case transformed
        /// Not at all: the value is the result of a fetch.
        case fetched
    }

    /// The name of the property in the model.
    public let name: String

    /// The upper half is the number of the entity's layout. The lower half is the slot, and tells how its values are set. No
    /// layout has the number in the initial value.
    @usableFromInline let cache = Atomic<UInt64>(.max)

    @usableFromInline let type: @Sendable () -> Any.Type
    @usableFromInline let form: Form
    /// The name in Swift, if it is another one.
    @usableFromInline let property: String?
    @usableFromInline let file: StaticString
    @usableFromInline let line: Int

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - name: The name of the property in the model.
    ///   - type: The Swift type.
    ///   - form: How the values are kept.
    ///   - property: The name in Swift, if it is another one.
    ///   - file: Where the property is declared.
    ///   - line: Where the property is declared.
    @inlinable @inline(__always)
    public init(
        _ name: String, _ type: @autoclosure @escaping @Sendable () -> Any.Type, form: Form = .plain, property: String? = nil,
        file: StaticString = "", line: Int = 0
    ) {
        self.name = name
        self.type = type
        self.form = form
        self.property = property
        self.file = file
        self.line = line
    }

    /// Slots from this number on stand for properties whose values are converted through key-value coding, because the slot can't
    /// be read or written as the property's type.
    @inlinable static var firstConvertedSlot: Int { 0x4000_0000 }

    /// Slots from this number on stand for properties whose primitive value is set.
    @inlinable static var firstPrimitiveSlot: Int { 0x8000_0000 }

    /// The slot where an object keeps the property, or a number from `firstConvertedSlot` on. Stops the program if the object's
    /// entity has no such property, or if its values can't be converted to the type.
    @inlinable @inline(__always)
    func slot(in object: NSManagedObject) -> Int { Int(lookUp(in: object) & 0x7FFF_FFFF) }

    /// The same for setting the property. The number is at least `firstPrimitiveSlot` if the primitive value is set. One
    /// comparison therefore tells whether the slot is all that the setter needs.
    @inlinable @inline(__always)
    func slotForSetting(in object: NSManagedObject) -> Int { Int(lookUp(in: object) & 0xFFFF_FFFF) }

    @inlinable @inline(__always)
    func lookUp(in object: NSManagedObject) -> UInt64 {
        let cached = cache.load(ordering: .relaxed)
        return _fastPath(cached >> 32 == UInt64(object._layoutID)) ? cached : lookUpAtFirst(in: object)
    }

    @usableFromInline
    @inline(never)
    func lookUpAtFirst(in object: NSManagedObject) -> UInt64 {
        let type = type()
        let key = FoundSlots.Key(layoutID: object._layoutID, name: name, type: ObjectIdentifier(type), form: form)
        if let known = FoundSlots.slot(for: key) {
            cache.store(known, ordering: .relaxed)
            return known
        }
        let found = find(type, in: object)
        FoundSlots.remember(found, for: key)
        cache.store(found, ordering: .relaxed)
        return found
    }

    private func find(_ type: Any.Type, in object: NSManagedObject) -> UInt64 {
        let storedName = storedName(in: object)
        let property = property ?? name
        var slot = object._slot(forKey: storedName) ?? object.compositeSlot(forKey: storedName)
        var schema = _TypedSchema(
            entityName: object.entity.name ?? "", type: Swift.type(of: object), superclass: NSManagedObject.self)
        schema.add(managed: property, type, storedName: storedName, form: form)
        let place = line > 0 ? "\(file):\(line): " : ""
        if let mismatch = TypeCheck.mismatches(of: schema.properties, in: "\(Swift.type(of: object))", with: object.entity).first
        {
            guard form == .plain, let property = object.entity.propertiesByName[storedName],
                ConvertedValue.isPossible(type, property)
            else { fatalError("\(place)\(mismatch) (\(object.objectID))") }
            slot = Self.firstConvertedSlot
        }
        guard let slot else {
            fatalError(
                "\(place)\(Swift.type(of: object)).\(property): the entity “\(object.entity.name ?? "")” has no such property")
        }
        let setting = primitive(in: object) == nil ? slot : slot + Self.firstPrimitiveSlot
        return UInt64(object._layoutID) << 32 | UInt64(setting)
    }

    /// The name in the model of the property that the key stands for.
    func storedName(in object: NSManagedObject) -> String { primitive(in: object) ?? name }

    /// The name of the property whose primitive value the key stands for. It is nil if the key stands for the property of its own
    /// name.
    ///
    /// For example, it is `date` for a key named `primitiveDate`, unless the entity has a property named `primitiveDate`.
    func primitive(in object: NSManagedObject) -> String? {
        let prefix = "primitive"
        let rest = name.dropFirst(prefix.count)
        guard name.hasPrefix(prefix), rest.first?.isUppercase == true else { return nil }
        let known = object.entity.propertiesByName
        if known[name] != nil { return nil }
        // `primitiveURL` may stand for `URL`, as `primitiveDate` does for `date`.
        return [rest.prefix(1).lowercased() + rest.dropFirst(), String(rest)].first { known[$0] != nil }
    }
}

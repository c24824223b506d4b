import DataModel
public import ObjectGraph
public import Synchronization

/// The name of a property together with the slot where objects keep it.
///
/// `@Managed` makes one for each property that it is written at. The slot is looked up, and the Swift type compared with the
/// model, once for each property layout and then remembered.
///
/// Nothing in it has to be computed, so that the optimizer makes it a part of the program's data: otherwise each access would ask
/// first whether it was made.
public struct _ManagedKey: ~Copyable, Sendable {
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

    /// The layout's number in the upper half, in the lower the slot and how its values are set. No layout has the number that the
    /// cache starts with.
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
    ///   - name: the name of the property in the model.
    ///   - type: the Swift type.
    ///   - form: how the values are kept.
    ///   - property: the name in Swift, if it is another one.
    ///   - file: where the property is declared.
    ///   - line: where the property is declared.
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

    /// What slots are at least that can't be read or written as the property's type: their values are converted, as key-value
    /// coding has them.
    @inlinable static var firstConvertedSlot: Int { 0x4000_0000 }

    /// What slots are at least whose primitive values are set.
    @inlinable static var firstPrimitiveSlot: Int { 0x8000_0000 }

    /// The slot where an object keeps the property, or a number from `firstConvertedSlot` on. An object whose entity has no such
    /// property, or one that can't be converted to the type, stops the program.
    @inlinable @inline(__always)
    func slot(in object: NSManagedObject) -> Int { Int(lookUp(in: object) & 0x7FFF_FFFF) }

    /// The same for setting the property. From `firstPrimitiveSlot` on it is the primitive value that is set, so that one
    /// comparison tells what needs no more than the slot.
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

    /// The name in the model of the property whose value is meant.
    func storedName(in object: NSManagedObject) -> String { primitive(in: object) ?? name }

    /// The name of the property whose primitive value is meant; nil if the key means a property of its own name.
    ///
    /// For a name such as `primitiveDate` that is `date`, unless the entity has a property of the name itself.
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

import DataModel

/// How a slot of a row keeps its value.
///
/// Scalars fill the slot's eight bytes. The other kinds leave a *word* there (see `Row`) that tells where the bytes or the boxed
/// value are.
package enum SlotKind: UInt8, Sendable {
    /// Integers of every width and booleans, as `Int64`.
    case integer
    /// Doubles, floats and dates (seconds since the reference date), as `Double`.
    case real
    /// Decimals: eight bytes of a `Double` as read from a store, or a boxed `Decimal`.
    case decimal
    case string
    /// URLs, as the absolute string.
    case uri
    /// Sixteen bytes in the order of the printed form.
    case uuid
    case binary
    /// The transformed bytes as read from a store, or the boxed object.
    case transformable
    /// A boxed value that no store keeps: transient attributes of undefined type.
    case object
    /// The key of the destination, as `Int64`. Keys below zero are temporary.
    case toOne
    /// The index in the model of the destination's concrete entity: companion of a `toOne` whose destination has subentities.
    case entityIndex
    /// A to-many relationship: numbered so that it has a bit in change masks; the slot itself stays nil.
    case toMany
    /// A property of the typed class that is kept elsewhere or nowhere: the whole of a composite, a fetched property, or one that
    /// the entity does not have. It can't be found by name.
    case vacant

    /// Whether the slot holds a word that points at bytes or at a boxed value.
    @inlinable package var isVariable: Bool {
        switch self {
        case .decimal, .string, .uri, .uuid, .binary, .transformable, .object: true
        case .integer, .real, .toOne, .entityIndex, .toMany, .vacant: false
        }
    }

    init(_ type: NSAttributeType, isTransient: Bool) {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType: self = .integer
        case .doubleAttributeType, .floatAttributeType, .dateAttributeType: self = .real
        case .decimalAttributeType: self = .decimal
        case .stringAttributeType: self = .string
        case .URIAttributeType: self = .uri
        case .UUIDAttributeType: self = .uuid
        case .binaryDataAttributeType: self = .binary
        case .transformableAttributeType: self = isTransient ? .object : .transformable
        case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: self = .object
        }
    }
}

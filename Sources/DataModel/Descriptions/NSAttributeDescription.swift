import Foundation

/// What a model says about one attribute: its type, its default value, how it is stored.
///
/// Thread rules as for `NSPropertyDescription`.
// @unchecked Sendable: as for the superclass, all setters are guarded by `requireMutable()`.
open class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
    private var storedType = AttributeType.undefined
    private var storedValueClassName: String?

    /// Makes an attribute of undefined type.
    public required init() {
        super.init()
    }

    /// The kind of value. Setting it also sets `attributeValueClassName` to the class that belongs to the type.
    public final var type: AttributeType {
        get { storedType }
        set {
            requireMutable()
            storedType = newValue
            storedValueClassName = newValue.valueClassName
        }
    }

    /// The kind of value in the older notation; `undefinedAttributeType` for a type that has no older form.
    public final var attributeType: NSAttributeType {
        get { NSAttributeType(rawValue: storedType.rawValue) ?? .undefinedAttributeType }
        set { type = AttributeType(newValue) }
    }

    /// The name of the values' class. Core Data sets it with the type; for a transformable attribute it is what the model says.
    public final var attributeValueClassName: String? {
        get { storedValueClassName }
        set {
            requireMutable()
            storedValueClassName = newValue
        }
    }

    /// The value that a new object starts with: `NSNumber`, `NSDecimalNumber`, `String`, `Date`, `Data`, `UUID`, `URL`, or nil.
    ///
    /// A required number without default starts as nil, not as zero.
    public final var defaultValue: Any? { willSet { requireMutable() } }

    /// The name of the transformer that turns a transformable value into bytes.
    public final var valueTransformerName: String? { willSet { requireMutable() } }

    /// Whether the store may keep large binary values in files of their own.
    public final var allowsExternalBinaryDataStorage = false { willSet { requireMutable() } }

    /// Whether persistent history keeps the value of a deleted object.
    public final var preservesValueInHistoryOnDeletion = false { willSet { requireMutable() } }

    /// Whether CloudKit should store the value encrypted. The flag is kept; nothing here uses it, as in Apple's framework without
    /// CloudKit.
    public final var allowsCloudEncryption = false { willSet { requireMutable() } }

    /// Limits from a model file, in the file's notation.
    package final var validationLimits = ValidationLimits() { willSet { requireMutable() } }

    /// Whether values stand in a column: not transient, and of a type that can be stored.
    package final var isStored: Bool {
        !isTransient && storedType != .undefined
    }

    package override func copyValues(to copy: NSPropertyDescription) {
        super.copyValues(to: copy)
        guard let copy = copy as? NSAttributeDescription else { return }
        copy.storedType = storedType
        copy.storedValueClassName = storedValueClassName
        copy.defaultValue = defaultValue
        copy.valueTransformerName = valueTransformerName
        copy.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
        copy.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
        copy.allowsCloudEncryption = allowsCloudEncryption
        copy.validationLimits = validationLimits
    }
}

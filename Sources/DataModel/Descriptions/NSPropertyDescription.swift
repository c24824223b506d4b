public import Foundation
import Synchronization

/// What a model says about one property of an entity: the base class of attribute and relationship descriptions.
///
/// Build and change descriptions on one thread. Once a coordinator uses the model they are immutable, can be read from every
/// thread, and changing one stops the program, as with Apple's framework.
// @unchecked Sendable: the stored properties are written only while one thread builds the model (rule of the class, stated
// above); `freeze()` runs before a coordinator hands the model to others, and every setter refuses afterwards, so all later
// access is reading. The flag itself is atomic, because two coordinators on two threads may freeze the same model. The one value
// that may change later has a lock.
open class NSPropertyDescription: NSObject, NSCopying, @unchecked Sendable {
    package weak var owningEntity: NSEntityDescription?
    private let frozen = Atomic(false)
    private var explicitRenamingIdentifier: String?
    private let userInfoLock = NSLock()
    private var storedUserInfo: [AnyHashable: Any]? = [:]

    /// Makes a description without name: optional, not transient.
    public required override init() {
        super.init()
    }

    /// The entity that declares the property.
    ///
    /// Reading it before the property is in an entity, or after that entity is gone, is a programmer error and stops the program.
    public final var entity: NSEntityDescription {
        guard let owningEntity else {
            preconditionFailure("The property “\(name)” does not belong to an entity: put it into an entity's properties first")
        }
        return owningEntity
    }

    /// The name of the property.
    public final var name = "" { willSet { requireMutable() } }

    /// Whether the property may be nil when an object is saved. True unless set.
    public final var isOptional = true { willSet { requireMutable() } }

    /// Whether the property is left out of the store. False unless set.
    public final var isTransient = false { willSet { requireMutable() } }

    /// What the developer noted about the property. Empty unless set.
    ///
    /// A fetched property's may be changed while the model is in use, on every thread, as with Apple's framework. Its predicate
    /// may ask for it as `$FETCHED_PROPERTY.userInfo`.
    public final var userInfo: [AnyHashable: Any]? {
        get { userInfoLock.withLock { storedUserInfo } }
        set {
            if !(self is NSFetchedPropertyDescription) { requireMutable() }
            userInfoLock.withLock { storedUserInfo = newValue }
        }
    }

    /// Whether the property should be indexed in the store. Fetch indexes of the entity say more; Apple's framework deprecates
    /// this.
    public final var isIndexed = false { willSet { requireMutable() } }

    /// Whether Spotlight should index the property. False unless set. It has no effect: Spotlight is a service of Apple's
    /// systems.
    public final var isIndexedBySpotlight = false { willSet { requireMutable() } }

    /// What a model file says for the model editor alone, by its XML attributes.
    package final var editorValues: [String: String]? { willSet { requireMutable() } }

    /// The XML attributes that mean nothing to a running program; of dates the texts that the editor shows.
    package static let editorKeys: Set<String> = [
        "syncable", "usesScalarValueType", "storedInTruthFile", "composite", "defaultValueString", "minValueString",
        "maxValueString", "customClassName", "valueTransformerName",
    ]

    /// The predicates a value must satisfy. Those of a model file's limits are among them.
    public final private(set) var validationPredicates: [NSPredicate] = []

    /// What goes wrong when the predicate at the same place fails: texts or error codes.
    public final private(set) var validationWarnings: [Any] = []

    /// Sets the predicates that a value must satisfy, and the warnings that belong to them.
    ///
    /// - Parameters:
    ///   - validationPredicates: Predicates about the value itself (`SELF`); nil for none.
    ///   - validationWarnings: As many texts as there are predicates, for the descriptions of errors; nil for none. They belong
    ///     to errors with the code 1550; limits of model files have codes of their own.
    public final func setValidationPredicates(
        _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
    ) {
        setValidationPredicates(validationPredicates ?? [], warnings: validationWarnings ?? [])
    }

    /// Sets the predicates, and warnings that may be codes of errors.
    package final func setValidationPredicates(_ predicates: [NSPredicate], warnings: [Any]) {
        requireMutable()
        validationPredicates = predicates
        validationWarnings = warnings
    }

    /// A text that is part of the version hash: change it when the meaning of the property changed and nothing else did.
    public final var versionHashModifier: String? { willSet { requireMutable() } }

    /// The name under which migration looks for the property in an older model. The property's own name unless set.
    public final var renamingIdentifier: String? {
        get { explicitRenamingIdentifier ?? (name.isEmpty ? nil : name) }
        set {
            requireMutable()
            explicitRenamingIdentifier = newValue
        }
    }

    /// 32 bytes that change when the property changes in a way that a store can see.
    ///
    /// The value differs from Apple's, whose computation is not public; what changes it is the same.
    public final var versionHash: Data {
        SHA256.hash(Data(VersionHashText.property(self).utf8))
    }

    /// A description with the same values that belongs to no entity and can be changed.
    ///
    /// A copied relationship keeps its destination and inverse.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).init()
        copyValues(to: copy)
        return copy
    }

    package func copyValues(to copy: NSPropertyDescription) {
        copy.name = name
        copy.isOptional = isOptional
        copy.isTransient = isTransient
        copy.userInfo = userInfo
        copy.isIndexed = isIndexed
        copy.editorValues = editorValues
        copy.isIndexedBySpotlight = isIndexedBySpotlight
        copy.validationPredicates = validationPredicates
        copy.validationWarnings = validationWarnings
        copy.versionHashModifier = versionHashModifier
        copy.explicitRenamingIdentifier = explicitRenamingIdentifier
    }

    package func freeze() {
        frozen.store(true, ordering: .relaxed)
    }

    package final var isFrozen: Bool {
        frozen.load(ordering: .relaxed)
    }

    @inline(__always)
    package final func requireMutable() {
        if isFrozen { preconditionFailure("Can't modify an immutable model: property “\(qualifiedName)”") }
    }

    /// "Entity.property", for messages.
    package final var qualifiedName: String {
        "\(owningEntity?.name ?? "?").\(name)"
    }

    /// Name and place of the property, for debugging.
    open override var description: String {
        "<\(type(of: self)) \(qualifiedName)>"
    }
}

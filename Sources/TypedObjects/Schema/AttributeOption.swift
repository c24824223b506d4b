/// What `@Attribute` can say about an attribute besides its type.
public struct AttributeOption: Hashable, Sendable {
    private let name: String

    private init(_ name: String) {
        self.name = name
    }

    /// No two objects of the entity may have the same value: a uniqueness constraint in the model.
    public static let unique = AttributeOption("unique")
    /// The attribute is not stored: it lives as long as the object stays in memory.
    public static let transient = AttributeOption("transient")
    /// The store may keep large binary values in files of their own.
    public static let externalStorage = AttributeOption("externalStorage")
}

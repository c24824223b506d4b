public import DataModel

/// A managed object class whose accessors know their slots. The typed layer's macros adopt it.
///
/// Don't adopt it by hand: if the order differs from that of the accessors, they read other properties.
public protocol _SlotOrderedObject: NSManagedObject {
    /// The stored names of the class's properties in slot order, the superclass's first.
    static var _slotNames: [String] { get }

    /// The stored name of the property that has a name in Swift; nil if there is none. For messages.
    static func _storedName(of swiftName: String) -> String?

    /// One sentence for each property whose Swift type does not fit the entity.
    static func _typeMismatches(with entity: NSEntityDescription) -> [String]

    /// Gives a new object the initial values that are not the same for all objects; nil if there are none. Called
    /// before `awakeFromInsert()`.
    static var _initialValues: ((NSManagedObject) -> Void)? { get }
}

extension _SlotOrderedObject {
    /// None, unless the macro writes some.
    public static var _initialValues: ((NSManagedObject) -> Void)? { nil }
    /// None: the names are the same.
    public static func _storedName(of swiftName: String) -> String? { nil }
}

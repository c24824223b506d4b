import Foundation

/// Turns archives into objects of chosen classes, and back: for transformable attributes.
///
/// Subclass it, override ``allowedTopLevelClasses``, register an instance under the name that the model uses:
///
/// ```swift
/// final class ColorTransformer: NSSecureUnarchiveFromDataTransformer {
///     override class var allowedTopLevelClasses: [AnyClass] { [Color.self] }
/// }
/// ValueTransformer.setValueTransformer(ColorTransformer(), forName: NSValueTransformerName("ColorTransformer"))
/// ```
///
/// As in Apple's framework, a transformable attribute uses these transformers in the other direction:
/// ``transformedValue(_:)`` makes the object from data.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// The classes, or superclasses, that an archive's object may have: arrays, dictionaries, sets, strings,
    /// numbers, dates, data, URLs, UUIDs and null unless overridden. Collections may contain these as well as the
    /// classes given here.
    ///
    /// An archive with another class is not decoded: the attribute's value is then the archive's bytes.
    open class var allowedTopLevelClasses: [AnyClass] { KeyedArchive.plainClasses }

    /// The object in an archive; nil if the value is not an archive, is damaged, or needs a class that is not
    /// allowed.
    open override func transformedValue(_ value: Any?) -> Any? {
        (value as? Data).flatMap { try? KeyedArchive.object(in: $0, classes: type(of: self).allowedTopLevelClasses) }
    }

    /// The archive of an object; nil if its class is not allowed.
    open override func reverseTransformedValue(_ value: Any?) -> Any? {
        value.flatMap { try? KeyedArchive.data(of: $0, classes: type(of: self).allowedTopLevelClasses) }
    }
}

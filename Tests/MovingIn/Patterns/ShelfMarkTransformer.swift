import CoreData
import Foundation

/// Keeps a text as its UTF-8 bytes, backwards.
final class ShelfMarkTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass {
        return NSData.self
    }

    override class func allowsReverseTransformation() -> Bool {
        return true
    }

    override func transformedValue(_ value: Any?) -> Any? {
        guard let text = value as? String else { return nil }
        return Data(text.utf8.reversed())
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data else { return nil }
        return String(decoding: data.reversed(), as: UTF8.self)
    }

    static func register() {
        ValueTransformer.setValueTransformer(
            ShelfMarkTransformer(), forName: NSValueTransformerName(rawValue: "ShelfMarkTransformer"))
    }
}

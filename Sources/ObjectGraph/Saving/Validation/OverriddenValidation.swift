/// Tells the classes that override `validateValue(_:forKey:)` from those that don't.
///
/// Overrides must be reached for every property, yet calling an open method per property of each saved object would
/// cost as much as the rest of a save. So the call is made only for classes that have an override. A class's method
/// table shows this: it has the entry of its superclass at the same place, unless the class overrides the method. The
/// place is found by comparing two classes of this file, one of which overrides only this method. If the comparison is
/// not clear, every class except `NSManagedObject` counts as overriding, which is slower but never wrong.
///
/// It is unsafe code that reads words of class metadata. It reads only words below the size that the metadata itself
/// gives for `NSManagedObject`; the metadata of subclasses begins with the same words.
enum OverriddenValidation {
    /// Overrides nothing.
    private final class Plain: NSManagedObject {}

    /// Overrides `validateValue(_:forKey:)` and nothing else.
    private final class Overriding: NSManagedObject {
        override func validateValue(_ value: inout Any?, forKey key: String) throws {
            // The text keeps this body different from all others.
            guard key != "“validateValue” is overridden here" else { return }
            try super.validateValue(&value, forKey: key)
        }
    }

    private struct Place {
        let word: Int
        let base: UInt
    }

    private static let place: Place? = {
        // kind, superclass, flags and address point, size of instances, size and address point of the class, description, …
        let sizes = word(4, of: NSManagedObject.self)
        let (size, addressPoint) = (Int(sizes & 0xFFFF_FFFF), Int(sizes >> 32))
        guard addressPoint < size, size < 1 << 16 else { return nil }
        let count = (size - addressPoint) / MemoryLayout<UInt>.size
        let candidates = (7..<max(7, count)).filter { index in
            let base = word(index, of: NSManagedObject.self)
            return word(index, of: Plain.self) == base && word(index, of: Overriding.self) != base
        }
        guard candidates.count == 1 else { return nil }
        return Place(word: candidates[0], base: word(candidates[0], of: NSManagedObject.self))
    }()

    /// Whether the place was found. For tests.
    static var isKnown: Bool { place != nil }

    @inline(__always) private static func word(_ index: Int, of objectClass: AnyClass) -> UInt {
        unsafeBitCast(objectClass, to: UnsafePointer<UInt>.self)[index]
    }

    /// Whether a class has an override, either its own or an inherited one.
    @inline(__always) static func isOverridden(by objectClass: NSManagedObject.Type) -> Bool {
        guard let place else { return objectClass != NSManagedObject.self }
        return word(place.word, of: objectClass) != place.base
    }
}

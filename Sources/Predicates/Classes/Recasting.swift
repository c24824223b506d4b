import Foundation

/// Makes objects of classes whose superclass has no initializer that can be called: Linux Foundation declares all those of
/// `NSExpression` and `NSComparisonPredicate` unavailable.
///
/// An object of a class with the same stored properties is made, its mould, and gets the other class, as Objective-C's
/// `object_setClass` does it.
enum Recasting {
    /// Gives an object another class.
    ///
    /// - Parameters:
    ///   - mould: An object without other references.
    ///   - type: A class whose stored properties, with those of its superclasses, are those of the object's class.
    static func object<Object: AnyObject>(_ mould: AnyObject, as type: Object.Type) -> Object {
        let target = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let object = Unmanaged.passUnretained(mould).toOpaque().assumingMemoryBound(to: UnsafeRawPointer.self)
        precondition(
            instanceSize(object.pointee) == instanceSize(target),
            "Foundation's \(type) has stored properties that are not known here")
        object.pointee = target
        return withExtendedLifetime(mould) { unsafeDowncast(mould, to: type) }
    }

    /// The size of a class's objects: behind the kind, the superclass, the flags and the address point.
    private static func instanceSize(_ metadata: UnsafeRawPointer) -> UInt32 {
        metadata.load(fromByteOffset: 2 * MemoryLayout<Int>.size + 2 * MemoryLayout<UInt32>.size, as: UInt32.self)
    }
}

// swift-format-ignore-file: AvoidRetroactiveConformances

public import Foundation

// `NSPredicate(format: "id == %@", id as CVarArg)` is how code for Apple's systems is written. There every object is such an
// argument, and values are bridged to
// objects; Linux Foundation has it for strings and numbers alone. The predicate takes the value itself out of the argument.
// For others, such as
// `String(format:)`, the argument is a pointer to the object.

extension UUID: @retroactive CVarArg {
    /// A pointer to an object that stands for the value. The object is never released.
    public var _cVarArgEncoding: [Int] { words(of: self) }
}

extension Date: @retroactive CVarArg {
    /// A pointer to an object that stands for the value. The object is never released.
    public var _cVarArgEncoding: [Int] { words(of: self) }
}

extension URL: @retroactive CVarArg {
    /// A pointer to an object that stands for the value. The object is never released.
    public var _cVarArgEncoding: [Int] { words(of: self) }
}

extension Data: @retroactive CVarArg {
    /// A pointer to an object that stands for the value. The object is never released.
    public var _cVarArgEncoding: [Int] { words(of: self) }
}

extension Decimal: @retroactive CVarArg {
    /// A pointer to an object that stands for the value. The object is never released.
    public var _cVarArgEncoding: [Int] { words(of: self) }
}

extension Array: @retroactive CVarArg {
    /// A pointer to an object that stands for the value. The object is never released.
    public var _cVarArgEncoding: [Int] { words(of: self) }
}

extension Set: @retroactive CVarArg {
    /// A pointer to an object that stands for the value. The object is never released.
    public var _cVarArgEncoding: [Int] { words(of: self) }
}

extension Dictionary: @retroactive CVarArg {
    /// A pointer to an object that stands for the value. The object is never released.
    public var _cVarArgEncoding: [Int] { words(of: self) }
}

extension NSNumber: @retroactive CVarArg {
    /// A pointer to the object, which the caller keeps.
    public var _cVarArgEncoding: [Int] { pointer(to: self) }
}

extension NSDate: @retroactive CVarArg {
    /// A pointer to the object, which the caller keeps.
    public var _cVarArgEncoding: [Int] { pointer(to: self) }
}

extension NSUUID: @retroactive CVarArg {
    /// A pointer to the object, which the caller keeps.
    public var _cVarArgEncoding: [Int] { pointer(to: self) }
}

extension NSURL: @retroactive CVarArg {
    /// A pointer to the object, which the caller keeps.
    public var _cVarArgEncoding: [Int] { pointer(to: self) }
}

extension NSData: @retroactive CVarArg {
    /// A pointer to the object, which the caller keeps.
    public var _cVarArgEncoding: [Int] { pointer(to: self) }
}

extension NSArray: @retroactive CVarArg {
    /// A pointer to the object, which the caller keeps.
    public var _cVarArgEncoding: [Int] { pointer(to: self) }
}

extension NSSet: @retroactive CVarArg {
    /// A pointer to the object, which the caller keeps.
    public var _cVarArgEncoding: [Int] { pointer(to: self) }
}

extension NSOrderedSet: @retroactive CVarArg {
    /// A pointer to the object, which the caller keeps.
    public var _cVarArgEncoding: [Int] { pointer(to: self) }
}

extension NSDictionary: @retroactive CVarArg {
    /// A pointer to the object, which the caller keeps.
    public var _cVarArgEncoding: [Int] { pointer(to: self) }
}

extension NSNull: @retroactive CVarArg {
    /// A pointer to the object, which the caller keeps.
    public var _cVarArgEncoding: [Int] { pointer(to: self) }
}

/// The receiver of the pointer does not say when it is done with it, so the object is never released.
private func words(of value: Any) -> [Int] {
    [Int(bitPattern: Unmanaged.passRetained(value as AnyObject).toOpaque())]
}

package func pointer(to object: AnyObject) -> [Int] { [Int(bitPattern: Unmanaged.passUnretained(object).toOpaque())] }

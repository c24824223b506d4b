import Foundation

/// What `Optional` looks like when its type is not known.
private protocol UntypedOptional {
    var untypedValue: Any? { get }
}

extension Optional: UntypedOptional {
    fileprivate var untypedValue: Any? { self }
}

extension Optional where Wrapped == Any {
    /// The value inside any number of optionals; `nil` where one of them is empty or the value is `NSNull`.
    ///
    /// An `Any` may hold an empty optional (a dictionary of optionals, a key path to an optional property) and is then not `nil`
    /// itself.
    package static func flattening(_ value: Any?) -> Any? {
        guard let value else { return nil }
        if let optional = value as? any UntypedOptional { return flattening(optional.untypedValue) }
        return value is NSNull ? nil : value
    }
}

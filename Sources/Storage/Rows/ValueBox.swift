package import Foundation

/// Keeps a value that has no byte form in a row: a decimal that was set, or the object of a transformable attribute.
package final class ValueBox {
    package let value: Any
    /// The transformed bytes of `value`: set by the object graph before a save, for engines to write.
    package var encoded: Data?

    package init(_ value: Any, encoded: Data? = nil) {
        self.value = value
        self.encoded = encoded
    }
}

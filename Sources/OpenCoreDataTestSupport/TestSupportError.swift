public import Foundation

/// An expectation of a test fails, or a helper can't do its task.
public struct TestSupportError: Error, Hashable, CustomStringConvertible, LocalizedError {
    /// The problem in whole sentences, which can be the message of an assertion.
    public let description: String

    /// The description.
    public var errorDescription: String? { description }

    init(_ description: String) { self.description = description }
}

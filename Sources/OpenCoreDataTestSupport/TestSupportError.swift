import Foundation

/// Something is not as a test wants it, or a helper can't do what it was asked for.
public struct TestSupportError: Error, Hashable, CustomStringConvertible, LocalizedError {
    /// What is the matter: whole sentences, good for the message of an assertion.
    public let description: String

    /// The description.
    public var errorDescription: String? { description }

    init(_ description: String) { self.description = description }
}

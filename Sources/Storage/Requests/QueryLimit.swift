import Foundation

/// A query that an engine can't run because it is beyond one of the engine's limits: too deep, too many joins or columns, too
/// long.
///
/// The engine has handed over nothing then. The caller reads the rows without the query and goes on in memory. Where it can't,
/// the request fails.
package struct QueryLimit: Error {
    package let reason: String

    package init(reason: String) { self.reason = reason }
}

extension QueryLimit: CustomNSError, LocalizedError {
    package static var errorDomain: String { CocoaError.errorDomain }
    package var errorCode: Int { 134060 }
    package var errorDescription: String? { "The request is too large for the store: \(reason). Ask for less at once" }
    package var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: errorDescription ?? reason] }
}

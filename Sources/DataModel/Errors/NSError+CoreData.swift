package import Foundation

extension NSError {
    /// An error in Apple's domain with a code of `NS…Error`.
    package static func coreData(_ code: Int, _ message: String, _ userInfo: [String: Any] = [:]) -> NSError {
        NSError(
            domain: NSCocoaErrorDomain, code: code,
            userInfo: userInfo.merging([NSLocalizedDescriptionKey: message]) { given, _ in given })
    }
}

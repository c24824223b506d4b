import Foundation

/// The types that Foundation bridges to objects. They are named here, so that a statically linked program has their
/// conformances.
///
/// The linker takes only those files of a static library that are referenced. The files with the conformances of
/// arrays, sets, decimals and others are not: the conformances are looked up while the program runs. Without them
/// `["a"] as? NSArray` is nil in a program built with `--static-swift-stdlib`, property lists refuse arrays, and a
/// keyed archive of an array stops the program.
package var foundationBridges: [any _ObjectiveCBridgeable.Type] {
    [
        [Any].self, [AnyHashable: Any].self, Set<AnyHashable>.self, AnyHashable.self, String.self, Bool.self, Int.self,
        Double.self, Decimal.self, Date.self, Data.self, UUID.self, URL.self, URLComponents.self, URLQueryItem.self,
        DateComponents.self, DateInterval.self, IndexPath.self, IndexSet.self, CharacterSet.self, Calendar.self,
        Locale.self, TimeZone.self, Notification.self, Measurement<Unit>.self, CocoaError.self,
    ]
}

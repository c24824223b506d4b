import Foundation

#if !canImport(Darwin)
    /// The types that Foundation turns into objects, named so that a program with Foundation inside it has what turns them.
    ///
    /// Of a static library the linker takes only the files that something names. Nothing names the files with the conformances of arrays, sets,
    /// decimals and others; they are looked up while the program runs. Without them `["a"] as? NSArray` is nil in a program built with
    /// `--static-swift-stdlib`, property lists refuse arrays, and a keyed archive of an array stops the program.
    package var foundationBridges: [any _ObjectiveCBridgeable.Type] {
        [
            [Any].self, [AnyHashable: Any].self, Set<AnyHashable>.self, AnyHashable.self, String.self, Bool.self, Int.self,
            Double.self, Decimal.self, Date.self, Data.self, UUID.self, URL.self, URLComponents.self, URLQueryItem.self,
            DateComponents.self, DateInterval.self, IndexPath.self, IndexSet.self, CharacterSet.self, Calendar.self,
            Locale.self, TimeZone.self, Notification.self, Measurement<Unit>.self, CocoaError.self,
        ]
    }
#endif

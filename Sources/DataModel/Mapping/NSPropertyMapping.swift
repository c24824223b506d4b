public import Foundation
public import Predicates

/// Where the value of a property in the newer model comes from.
///
/// Use it on one thread at a time.
open class NSPropertyMapping: NSObject {
    /// The name of the property in the newer model.
    public final var name: String?

    /// What the value is. The expression may use the variables `$source`, `$manager`, `$destination`, `$entityMapping`,
    /// `$propertyMapping` and `$entityPolicy`. Nil for no value.
    public final var valueExpression: _NSExpression?

    /// What the developer noted about the mapping.
    public final var userInfo: [AnyHashable: Any]?
}

/// Results that a block may not hand to code outside of its context's queue: managed objects, and collections of them.
/// The compiler warns where a block of `NSManagedObjectContext.perform(schedule:_:)` or
/// `NSPersistentContainer.performBackgroundTask(_:)` returns one.
///
/// Apple's framework has no such type. It has no other use.
public protocol _ManagedObjectResult: SendableMetatype {}

extension NSManagedObject: _ManagedObjectResult {}
extension Optional: _ManagedObjectResult where Wrapped: _ManagedObjectResult {}
extension Array: _ManagedObjectResult where Element: _ManagedObjectResult {}
extension Set: _ManagedObjectResult where Element: _ManagedObjectResult {}
extension Dictionary: _ManagedObjectResult where Value: _ManagedObjectResult {}

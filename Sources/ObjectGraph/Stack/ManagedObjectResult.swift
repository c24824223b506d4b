/// Results that a block may not hand to code outside of its context's queue: managed objects, and collections of them.
/// The compiler warns where a block of `NSManagedObjectContext.perform(schedule:_:)` or
/// `NSPersistentContainer.performBackgroundTask(_:)` returns one.
///
/// Apple's framework has no such type. It has no other use.
public protocol ManagedObjectResult: SendableMetatype {}

extension NSManagedObject: ManagedObjectResult {}
extension Optional: ManagedObjectResult where Wrapped: ManagedObjectResult {}
extension Array: ManagedObjectResult where Element: ManagedObjectResult {}
extension Set: ManagedObjectResult where Element: ManagedObjectResult {}
extension Dictionary: ManagedObjectResult where Value: ManagedObjectResult {}

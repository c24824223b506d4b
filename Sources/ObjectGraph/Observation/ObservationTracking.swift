import Observation

/// Connects objects with `withObservationTracking`: reading a property there registers it.
///
/// Objects have no registrar of their own: the context has one, and a key path names both the object and the property.
final class ObservationTracking: Sendable {
    private let registrar = ObservationRegistrar()

    /// Notes that a property is being read.
    /// - Returns: whether anybody tracks what is read at this moment.
    func access(_ object: NSManagedObject, slot: Int) -> Bool {
        guard TrackingProbe.isTracking(object) else { return false }
        registrar.access(object, keyPath: ObservedProperty(object, slot).keyPath)
        return true
    }

    /// Tells whoever tracks a property that it changes.
    func willSet(_ object: NSManagedObject, slot: Int) {
        registrar.willSet(object, keyPath: ObservedProperty(object, slot).keyPath)
    }
}

/// One property of one object.
private struct ObservedProperty: Hashable {
    let object: ObjectIdentifier
    let slot: Int

    init(_ object: NSManagedObject, _ slot: Int) {
        self.object = ObjectIdentifier(object)
        self.slot = slot
    }

    var keyPath: KeyPath<NSManagedObject, Void> { \NSManagedObject.[observed: self] }
}

extension NSManagedObject {
    fileprivate subscript(observed property: ObservedProperty) -> Void { () }
}

extension NSManagedObject: Observable {}

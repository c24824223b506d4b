import Observation
import Synchronization

/// Connects the objects of a context with `withObservationTracking`: reading a property there registers it.
///
/// Objects have no registrar of their own: the context has one, and a key path names both the object and the property.
final class ObservationTracking: Sendable {
    private let registrar = ObservationRegistrar()
    private let probe = ObservationRegistrar()
    // Immutable, as what it has captured is.
    nonisolated(unsafe) private let probePath: KeyPath<NSManagedObject, Void>
    private let probing = Probing()

    init() { probePath = \NSManagedObject.[probing: probing] }

    /// Notes that a property is being read.
    /// - Returns: whether somebody tracks what is read, on this thread or, it may be, on another.
    func access(_ object: NSManagedObject, slot: Int) -> Bool {
        // Nobody tells whether reading is being tracked. Only then a key path given to a registrar is put into a set, and so hashed.
        let before = probing.count.load(ordering: .relaxed)
        probe.access(object, keyPath: probePath)
        guard probing.count.load(ordering: .relaxed) != before else { return false }
        registrar.access(object, keyPath: ObservedProperty(object, slot).keyPath)
        return true
    }

    /// Tells whoever tracks a property that it changes.
    func willSet(_ object: NSManagedObject, slot: Int) {
        registrar.willSet(object, keyPath: ObservedProperty(object, slot).keyPath)
    }
}

/// Part of a key path that counts how often it is hashed.
private final class Probing: Hashable, Sendable {
    let count = Atomic(0)

    static func == (left: Probing, right: Probing) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        count.wrappingAdd(1, ordering: .relaxed)
        hasher.combine(ObjectIdentifier(self))
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
    fileprivate subscript(probing probing: Probing) -> Void { () }
}

extension NSManagedObject: Observable {}

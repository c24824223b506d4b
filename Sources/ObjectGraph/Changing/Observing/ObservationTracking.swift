public import Observation
import Synchronization

/// Connects the objects of a context with `withObservationTracking`: reading a property there registers it.
///
/// An object gets a registrar when it is first read under tracking. It loses the registrar and all registrations when
/// it ends.
final class ObservationTracking: Sendable {
    private let registrars = Mutex<[ObjectIdentifier: ObservationRegistrar]>([:])
    // Used only on the context's queue, and made at the first reading. It is unmanaged, because retaining it would cost
    // as much as asking it.
    @exclusivity(unchecked) nonisolated(unsafe) private var probe: Unmanaged<TrackingProbe>?
    @exclusivity(unchecked) nonisolated(unsafe) private var isProbeUsed = false

    deinit { probe?.release() }

    /// Notes that a property is being read.
    /// - Returns: whether reading is tracked on this thread or, possibly, on another.
    func access(_ object: NSManagedObject, slot: Int) -> Bool {
        let probe = probe ?? makeProbe()
        guard probe._withUnsafeGuaranteedRef({ $0.isTracking(object) }) else { return false }
        isProbeUsed = true
        let registrar = registrars.withLock { registrars in
            let registrar = registrars[ObjectIdentifier(object)] ?? ObservationRegistrar()
            registrars[ObjectIdentifier(object)] = registrar
            return registrar
        }
        registrar.access(object, keyPath: SlotPaths.path(slot))
        return true
    }

    /// Drops the registrations of the probe, which would outlive the objects. Must be called while nothing is being
    /// read.
    func dropProbe() {
        guard isProbeUsed else { return }
        isProbeUsed = false
        probe?.release()
        probe = nil
    }

    @inline(never) private func makeProbe() -> Unmanaged<TrackingProbe> {
        let made = Unmanaged.passRetained(TrackingProbe())
        probe = made
        return made
    }

    /// Tells the trackers of a property that it changes.
    func willSet(_ object: NSManagedObject, slot: Int) {
        let registrar = registrars.withLock { $0[ObjectIdentifier(object)] }
        registrar?.willSet(object, keyPath: SlotPaths.path(slot))
    }

    /// Forgets an object that is ending.
    func forget(_ object: ObjectIdentifier) {
        // The registrations are released outside the lock.
        let registrar = registrars.withLock { $0.removeValue(forKey: object) }
        withExtendedLifetime(registrar) {}
    }
}

/// A key path for each slot.
private enum SlotPaths {
    // Immutable: the key paths have captured only numbers.
    nonisolated(unsafe) private static let first: [KeyPath<NSManagedObject, Void>] = (0..<64).map {
        \NSManagedObject.[observed: $0]
    }

    static func path(_ slot: Int) -> KeyPath<NSManagedObject, Void> {
        slot < 64 ? first[slot] : \NSManagedObject.[observed: slot]
    }
}

extension NSManagedObject {
    fileprivate subscript(observed slot: Int) -> Void { () }
}

extension NSManagedObject: Observable {}

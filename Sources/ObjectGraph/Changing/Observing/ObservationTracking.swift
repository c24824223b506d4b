import Observation
import Synchronization

/// Connects the objects of a context with `withObservationTracking`: reading a property there registers it.
///
/// An object gets a registrar when it is first read under tracking, and loses it, with what was registered, when it goes.
final class ObservationTracking: Sendable {
    private let registrars = Mutex<[ObjectIdentifier: ObservationRegistrar]>([:])
    // Used on the context's queue only, made when something is read. Not counted: retaining it would cost as much as asking it.
    @exclusivity(unchecked) nonisolated(unsafe) private var probe: Unmanaged<TrackingProbe>?
    @exclusivity(unchecked) nonisolated(unsafe) private var isProbeUsed = false

    deinit { probe?.release() }

    /// Notes that a property is being read.
    /// - Returns: whether somebody tracks what is read, on this thread or, it may be, on another.
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

    /// Lets go of what was registered for finding out whether reading is tracked: it would outlive the objects. To be called while nothing is being read.
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

    /// Tells whoever tracks a property that it changes.
    func willSet(_ object: NSManagedObject, slot: Int) {
        let registrar = registrars.withLock { $0[ObjectIdentifier(object)] }
        registrar?.willSet(object, keyPath: SlotPaths.path(slot))
    }

    /// Forgets an object that is going.
    func forget(_ object: ObjectIdentifier) {
        // What was registered is let go of outside the lock.
        let registrar = registrars.withLock { $0.removeValue(forKey: object) }
        withExtendedLifetime(registrar) {}
    }
}

/// A key path for each slot.
private enum SlotPaths {
    // Immutable, as numbers are, which are all they have captured.
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

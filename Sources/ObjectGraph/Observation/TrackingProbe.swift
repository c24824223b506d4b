import CSwiftRuntime
import Observation

/// Finds out whether reading is being tracked, for which there is no function: only then a key path given to a registrar is put into a set, and so hashed.
struct TrackingProbe: Hashable {
    private static let registrar = ObservationRegistrar()
    // Immutable: key paths are, and this one has captured a value without content.
    nonisolated(unsafe) private static let keyPath: KeyPath<NSManagedObject, Void> = \NSManagedObject.[probe: TrackingProbe()]

    static func isTracking(_ object: NSManagedObject) -> Bool {
        CSwiftSetThreadFlag(false)
        registrar.access(object, keyPath: keyPath)
        return CSwiftThreadFlag()
    }

    static func == (left: TrackingProbe, right: TrackingProbe) -> Bool { true }

    func hash(into hasher: inout Hasher) { CSwiftSetThreadFlag(true) }
}

extension NSManagedObject {
    fileprivate subscript(probe probe: TrackingProbe) -> Void { () }
}

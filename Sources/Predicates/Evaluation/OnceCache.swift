import Synchronization

/// A value that is made when it is first needed, on any thread, and kept.
///
/// It does what `AtomicLazyReference` does, which costs some hundred instructions per use because it is generic code of another
/// module.
final class OnceCache<Value: AnyObject> {
    // Set once. It holds a retained reference until `deinit`, when no other thread has this object.
    private let address = Atomic<UInt>(0)

    func value(_ make: () -> Value) -> Value {
        if let known = object(address.load(ordering: .acquiring)) { return known }
        let made = Unmanaged.passRetained(make())
        let (stored, original) = address.compareExchange(
            expected: 0, desired: UInt(bitPattern: made.toOpaque()), ordering: .acquiringAndReleasing)
        guard !stored, let known = object(original) else { return made.takeUnretainedValue() }
        // Another thread came first; this one throws its work away.
        made.release()
        return known
    }

    private func object(_ address: UInt) -> Value? {
        UnsafeRawPointer(bitPattern: address).map { Unmanaged<Value>.fromOpaque($0).takeUnretainedValue() }
    }

    deinit {
        let address = address.load(ordering: .acquiring)
        if let pointer = UnsafeRawPointer(bitPattern: address) { Unmanaged<Value>.fromOpaque(pointer).release() }
    }
}

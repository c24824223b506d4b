import Synchronization

/// Whether the program has ever observed changes. Only then saves find out what they changed.
package enum ChangeInterest {
    private static let wasNoted = Atomic<Bool>(false)

    static var exists: Bool { wasNoted.load(ordering: .relaxed) }

    package static func note() { wasNoted.store(true, ordering: .relaxed) }
}

#if OPENCOREDATA_CHECKS
    import Synchronization
    import Storage
#endif

/// In builds with `OPENCOREDATA_CHECKS`, each public operation that changes a context ends with a check of the context.
/// In other builds these functions do nothing.
extension NSManagedObjectContext {
    /// Must be called at the beginning of an operation that changes the context. Inside the operation, the context may
    /// contradict itself.
    @inline(__always) final func beginMutation() {
        #if OPENCOREDATA_CHECKS
            RunningMutations.begin(self)
        #endif
    }

    /// Must be called at the end of the operation. Stops the program if it was the outermost one and the context
    /// contradicts itself.
    @inline(__always) final func endMutation() {
        #if OPENCOREDATA_CHECKS
            if RunningMutations.end(self) { requireConsistency() }
        #endif
    }

    #if OPENCOREDATA_CHECKS
        private final func requireConsistency() {
            // Tests with more objects than that are about speed.
            guard allObjects.count < 200 else { return }
            let problems = GraphChecker.problems(of: self, isOnlyWriter ? .inverses : .own)
            guard problems.isEmpty else {
                fatalError("\(self) contradicts itself:\n" + problems.joined(separator: "\n"))
            }
        }

        /// Whether what the context has read can't have been changed by others, not even by contexts that are gone.
        private final var isOnlyWriter: Bool {
            guard let coordinator = persistentStoreCoordinator, reading.isEmpty else { return false }
            return moment.ofOnlyOwnWrites == coordinator.clock.now && coordinator.contexts.contexts(except: self).isEmpty
                && coordinator.persistentStores.allSatisfy { $0.kind.files == nil }
        }
    #endif
}

#if OPENCOREDATA_CHECKS
    /// The number of nested operations that are running in each context.
    private enum RunningMutations {
        private static let counts = Mutex<[ObjectIdentifier: Int]>([:])

        static func begin(_ context: NSManagedObjectContext) {
            counts.withLock { $0[ObjectIdentifier(context), default: 0] += 1 }
        }

        /// - Returns: whether it was the outermost one.
        static func end(_ context: NSManagedObjectContext) -> Bool {
            counts.withLock { counts in
                let id = ObjectIdentifier(context)
                let rest = (counts[id] ?? 1) - 1
                counts[id] = rest == 0 ? nil : rest
                return rest == 0
            }
        }
    }
#endif

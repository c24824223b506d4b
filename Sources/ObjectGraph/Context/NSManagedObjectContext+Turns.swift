import Foundation

/// The end of a turn of the main run loop, or of the main dispatch queue.
extension NSManagedObjectContext {
    /// Notes that there are changes to process. A main-queue context processes them when the present turn ends. This
    /// does not happen in a program in which the main queue does not run.
    @inline(__always) final func noteTurn() {
        if !telling.isTurnNoted { awaitEndOfTurn() }
    }

    @inline(never) private final func awaitEndOfTurn() {
        telling.noteTurn()
        queue.async { [reference] in
            guard let context = reference.context else { return }
            // Changes made by observers belong to the next turn.
            context.telling.forgetTurn()
            context.processPendingChanges()
        }
    }
}

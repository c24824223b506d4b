import Foundation

/// The end of a turn of the main run loop, or of the main dispatch queue.
extension NSManagedObjectContext {
    /// Notes that there is something to process. A main-queue context does it when the present turn is over; a program in which the main queue does not run does not get there.
    @inline(__always) final func noteTurn() {
        if !isTurnNoted { awaitEndOfTurn() }
    }

    @inline(never) private final func awaitEndOfTurn() {
        isTurnNoted = true
        queue.async { [reference] in
            guard let context = reference.context else { return }
            // What observers change is for the next turn.
            context.isTurnNoted = false
            context.processPendingChanges()
        }
    }
}

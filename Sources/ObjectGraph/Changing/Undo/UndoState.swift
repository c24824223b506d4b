import Foundation
import FoundationGaps
import Predicates

/// A context's state for undo. Confined to the context's queue.
final class UndoState {
    var manager: UndoManager?
    /// Whether a step is being undone. Deleting propagates nothing then, because the step has all changes.
    var isReplaying = false
}

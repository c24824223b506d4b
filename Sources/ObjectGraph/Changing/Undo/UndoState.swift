import Foundation
import FoundationGaps
import Predicates

/// What a context has for undo. Confined to the context's queue.
final class UndoState {
    var manager: UndoManager?
    /// Whether a step is being taken back: then deleting propagates nothing, because the step has all of it.
    var isReplaying = false
}

import Foundation
import FoundationGaps
import Predicates

/// A context's state for undo.
struct UndoState {
    var manager: UndoManager?
    /// Whether a step is being undone. Deleting propagates nothing then, because the step has all changes.
    var isReplaying = false

    /// Whether every change of a relationship is kept.
    @inline(__always) var recordsLinks: Bool { manager != nil }
}

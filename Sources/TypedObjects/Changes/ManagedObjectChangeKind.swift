import Foundation
import ObjectGraph

/// What happened to an object in a round of changes. The cases are in the order in which a round is iterated: first objects that
/// go, then new ones, then changed ones.
public enum ManagedObjectChangeKind: Int, Sendable, CaseIterable {
    /// The object is no longer valid, because the context was reset or its store was removed from the coordinator.
    case invalidated
    /// The object was deleted.
    case deleted
    /// The object no longer matches the observer's predicate because of a change.
    case left
    /// The object is new.
    case inserted
    /// The object matches the observer's predicate because of a change.
    case entered
    /// Properties of the object changed.
    case updated
    /// The object's values were read again. The context itself did not change them.
    case refreshed
}

extension ManagedObjectChangeKind {
    /// The kind of a context's own changes that corresponds to this kind. It is nil for `entered` and `left`, which only
    /// conditions bring about.
    var inContext: _ChangeKind? {
        switch self {
        case .inserted: .inserted
        case .updated: .updated
        case .deleted: .deleted
        case .refreshed: .refreshed
        case .invalidated: .invalidated
        case .entered, .left: nil
        }
    }
}

extension Notification.ChangedType {
    /// Whether the set asks for changes of a kind. A set with `updated` asks for `entered` and `left` too.
    func includes(_ kind: ManagedObjectChangeKind) -> Bool {
        switch kind {
        case .inserted: contains(.inserted)
        case .updated: contains(.updated)
        case .entered: !isDisjoint(with: [.updated, .entered])
        case .left: !isDisjoint(with: [.updated, .left])
        case .deleted: contains(.deleted)
        case .refreshed: contains(.refreshed)
        case .invalidated: contains(.invalidated)
        }
    }
}

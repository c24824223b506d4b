import DataModel
import Storage

/// The sources for an object's state before a round.
///
/// ```text
///                       ┌ before the round ┐┌──── the round ────┐
///   saved or fetched    │ earlier events   ││ the event, or     │
///   row: the snapshot   │ image in the log ││ a replaced state  │ now: the row
/// ```
///
/// An object without unsaved changes from earlier events had the values of its snapshot. An object with such changes
/// has an image in the `EventLog`. An object whose values were replaced, by a merge, a refresh or a rollback, has lost
/// both, but has a `ReplacedState`. `EventState` reads snapshot and log. The round's `RoundPast` holds these answers,
/// and writes them down in `RoundChange` before the context forgets them.
enum ObjectPast {
    /// The object is deleted. Its past has the values that observers were told last, if they are known.
    case lastTold(Row?)
    /// The round says that the object is new.
    case new
    /// The values were replaced.
    case replaced(ReplacedState)
    /// The same, and the values before were not loaded although others have changed them.
    case replacedUnknown(ReplacedState)
    /// The values before were not loaded.
    case unknown
    /// The values could not be read.
    case unread
    /// The object has a row. If there is a state, it changed in the event.
    case event(EventState?, current: Row)
    /// The object has no row: only its relationships can have changed.
    case fault(isChanged: Bool)

    /// The first answer counts: for example, the values of a deleted or new object may have been replaced, too.
    init(of object: NSManagedObject, replaced: ReplacedState?, isUnknown: Bool, in context: NSManagedObjectContext) {
        if object.isDeleted || object._state.contains(.gone) {
            self = .lastTold(replaced?.row ?? object.lastToldRow(in: context))
        } else if context.event.posted?.sets.inserted.set.contains(object) == true {
            self = .new
        } else if let replaced {
            self = replaced.row == nil && isUnknown ? .replacedUnknown(replaced) : .replaced(replaced)
        } else if isUnknown {
            self = .unknown
        } else if object._state.contains(.unread) {
            self = .unread
        } else if let current = object.row {
            self = .event(EventState(of: object, in: context), current: current)
        } else {
            self = .fault(isChanged: EventState(of: object, in: context) != nil)
        }
    }
}

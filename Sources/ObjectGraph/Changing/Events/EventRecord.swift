import DataModel
import Foundation
import Storage

/// A context's record of the present event, besides the lists of objects: their values at its beginning, and changes
/// that are announced.
///
/// A processing of pending changes takes all of it. The next event begins with an empty record.
struct EventRecord {
    /// Earlier values that the changed objects don't keep themselves.
    private(set) var log = EventLog()
    /// The event whose ObjectsDidChange is being posted.
    private(set) var posted: PostedEvent?
    /// The former values of objects whose values were replaced, for observers.
    private(set) var replaced: [ObjectIdentifier: ReplacedState] = [:]
    /// Objects that a merge changed only in the store. No notification has them, but observers and live queries must be
    /// told.
    private(set) var quiet = QuietlyChanged()
    /// The former destinations of relationships between `willChangeValue` and `didChangeValue`.
    private var announced: [AnnouncedChange: [NSManagedObject]] = [:]
    /// The sets that were given out as primitive values of these relationships, and that may have been changed in
    /// place.
    private var announcedSets: [AnnouncedChange: NSObject] = [:]
    /// Relationships that keep an ordered set until the event ends.
    private var withKeptSets: ContiguousArray<_ToManyObjects> = []

    // MARK: What objects were

    /// - Returns: the record of the event that ended. The next event begins.
    mutating func takeLog() -> EventLog {
        let taken = log
        if !taken.isEmpty { log = EventLog() }
        return taken
    }

    /// Keeps an object's former state, unless this event has it already.
    mutating func keep(_ state: ReplacedState) {
        let id = ObjectIdentifier(state.object)
        if replaced[id] == nil { replaced[id] = state }
    }

    /// Notes the relationships of an object that others report as changed.
    mutating func noteSaid(_ slots: SlotMask, of object: NSManagedObject) {
        replaced[ObjectIdentifier(object)]?.saidSlots.formUnion(slots)
    }

    mutating func takeReplaced() -> [ObjectIdentifier: ReplacedState] {
        defer { replaced = [:] }
        return replaced
    }

    // MARK: What was changed in the store only

    mutating func noteQuietlyChanged(_ object: NSManagedObject, isKnown: Bool) { quiet.add(object, isKnown: isKnown) }

    /// Removes an object that is gone.
    ///
    /// - Returns: whether the context has no other reason to report it.
    mutating func leaveOutQuietlyChanged(_ object: NSManagedObject) -> Bool { quiet.leaveOut(object) }

    mutating func takeQuietlyChanged() -> QuietlyChanged {
        defer { quiet = QuietlyChanged() }
        return quiet
    }

    // MARK: Posting

    /// Sets the event that is being posted; nil if it has no record.
    ///
    /// - Returns: the former one, which must be set again when the posting is over.
    mutating func beginPosting(_ event: PostedEvent?) -> PostedEvent? {
        defer { posted = event }
        return posted
    }

    mutating func endPosting(_ outer: PostedEvent?) { posted = outer }

    // MARK: Announced changes

    mutating func announce(_ change: AnnouncedChange, from old: [NSManagedObject]) { announced[change] = old }

    func isAnnounced(_ change: AnnouncedChange) -> Bool { announced[change] != nil }

    /// - Returns: the former destinations; nil if the change was not announced.
    mutating func takeAnnounced(_ change: AnnouncedChange) -> [NSManagedObject]? { announced.removeValue(forKey: change) }

    /// The set that was given out as the relationship's primitive value.
    func givenSet(_ change: AnnouncedChange) -> NSObject? { announcedSets[change] }

    mutating func noteGivenSet(_ set: NSObject, _ change: AnnouncedChange) { announcedSets[change] = set }

    @discardableResult mutating func takeGivenSet(_ change: AnnouncedChange) -> NSObject? {
        announcedSets.isEmpty ? nil : announcedSets.removeValue(forKey: change)
    }

    // MARK: Sets kept until the end

    mutating func noteKeptSet(of members: _ToManyObjects) { withKeptSets.append(members) }

    /// The kept sets hold their owners, so they must not outlive the event.
    mutating func takeKeptSets() -> ContiguousArray<_ToManyObjects> {
        defer { withKeptSets = [] }
        return withKeptSets
    }

    // MARK: Forgetting

    /// Drops the records that would undo changes.
    mutating func forgetChanges() {
        if !log.isEmpty { log = EventLog() }
        announced = [:]
        announcedSets = [:]
    }

    /// Drops everything except the event that is being posted.
    mutating func forgetAll() {
        forgetChanges()
        replaced = [:]
        quiet = QuietlyChanged()
        withKeptSets = []
    }
}

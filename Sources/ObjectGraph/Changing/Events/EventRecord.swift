import DataModel
import Foundation
import Storage

/// What a context remembers of the present event besides the lists of objects: what they were at its beginning, and
/// changes that are announced.
///
/// A processing of pending changes takes it all; the next event begins with nothing.
struct EventRecord {
    /// What the objects that changed don't tell themselves.
    private(set) var log = EventLog()
    /// The event whose ObjectsDidChange is being posted.
    private(set) var posted: PostedEvent?
    /// What objects were whose values were replaced, for observers.
    private(set) var replaced: [ObjectIdentifier: ReplacedState] = [:]
    /// Objects that a merge changed in the store only: no notification tells of them, but observers and live queries must know.
    private(set) var quiet = QuietlyChanged()
    /// The former destinations of relationships between `willChangeValue` and `didChangeValue`.
    private var announced: [AnnouncedChange: [NSManagedObject]] = [:]
    /// What was given out as primitive values of these relationships: sets that may have been changed in place.
    private var announcedSets: [AnnouncedChange: NSObject] = [:]
    /// Relationships that keep an ordered set until the event ends.
    private var withKeptSets: ContiguousArray<ToManyObjects> = []

    // MARK: What objects were

    /// - Returns: what the event changed; the next one begins.
    mutating func takeLog() -> EventLog {
        let taken = log
        if !taken.isEmpty { log = EventLog() }
        return taken
    }

    /// Keeps what an object was, if it is the first time in this event.
    mutating func keep(_ state: ReplacedState) {
        let id = ObjectIdentifier(state.object)
        if replaced[id] == nil { replaced[id] = state }
    }

    /// Notes which relationships of an object others say that they have changed.
    mutating func noteSaid(_ slots: SlotMask, of object: NSManagedObject) {
        replaced[ObjectIdentifier(object)]?.saidSlots.formUnion(slots)
    }

    mutating func takeReplaced() -> [ObjectIdentifier: ReplacedState] {
        defer { replaced = [:] }
        return replaced
    }

    // MARK: What was changed in the store only

    mutating func noteQuietlyChanged(_ object: NSManagedObject, isKnown: Bool) { quiet.add(object, isKnown: isKnown) }

    /// Takes out an object that is gone.
    ///
    /// - Returns: whether the context has no other reason to tell of it.
    mutating func leaveOutQuietlyChanged(_ object: NSManagedObject) -> Bool { quiet.leaveOut(object) }

    mutating func takeQuietlyChanged() -> QuietlyChanged {
        defer { quiet = QuietlyChanged() }
        return quiet
    }

    // MARK: Posting

    /// Makes an event the one that is being posted; nil if it has nothing to ask for.
    ///
    /// - Returns: the one that was, to be given back when the posting is over.
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

    mutating func noteKeptSet(of members: ToManyObjects) { withKeptSets.append(members) }

    /// The kept sets hold their owners, so they must not outlive the event.
    mutating func takeKeptSets() -> ContiguousArray<ToManyObjects> {
        defer { withKeptSets = [] }
        return withKeptSets
    }

    // MARK: Forgetting

    /// Forgets what would take changes back.
    mutating func forgetChanges() {
        if !log.isEmpty { log = EventLog() }
        announced = [:]
        announcedSets = [:]
    }

    /// Forgets everything but the event that is being posted.
    mutating func forgetAll() {
        forgetChanges()
        replaced = [:]
        quiet = QuietlyChanged()
        withKeptSets = []
    }
}

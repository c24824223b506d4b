/// An event while its ObjectsDidChange is being posted: observers ask what it changed.
struct PostedEvent {
    let log: EventLog
    let inserted: Set<NSManagedObject>
    let updated: Set<NSManagedObject>
}

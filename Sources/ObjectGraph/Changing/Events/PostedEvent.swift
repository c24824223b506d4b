/// An event while its ObjectsDidChange is being posted. Observers ask what it changed.
struct PostedEvent {
    let log: EventLog
    let sets: ChangeSets
}

/// The observers of single objects of a context.
struct ObservingState {
    /// The initial state of an object of the context.
    var objectState: ObjectState
    /// Made when one of the objects gets a key-value observer.
    private(set) var changes: ObservedChanges?
    /// The recorders of reading, the inner ones last.
    private(set) var recorders: [ReadingRecorder] = []

    init(tracksReading: Bool) { objectState = tracksReading ? .tracksReading : [] }

    /// - Returns: the object that notes the observed changes.
    @discardableResult mutating func begin() -> ObservedChanges {
        let known = changes ?? ObservedChanges()
        changes = known
        return known
    }

    mutating func add(_ recorder: ReadingRecorder) { recorders.append(recorder) }

    mutating func remove(_ recorder: ReadingRecorder) { recorders.removeAll { $0 === recorder } }
}

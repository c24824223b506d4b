/// What an engine was doing when something failed: decides which error code Core Data's API has for it.
enum StorePhase {
    case opening, reading, saving

    /// For messages: "can't be …".
    var verb: String {
        switch self {
        case .opening: "opened"
        case .reading: "read"
        case .saving: "written"
        }
    }
}

/// The context of the objects that batch requests hand out to be filled. They are to be related to nothing, and what tries is noted here.
///
/// @unchecked Sendable: as its superclass; what is noted is confined to the queue of whoever runs the request.
final class ScratchContext: NSManagedObjectContext, @unchecked Sendable {
    /// The name of a relationship that was to lead from an object of this context to one of another, or the other way.
    private(set) var refusedRelationship: String?

    func forgetRefusal() { refusedRelationship = nil }

    /// Notes that a relationship between objects of two contexts was to be set.
    ///
    /// - Returns: false if neither is a scratch context: then it is a mistake of the program's.
    static func refuse(_ relationship: String, between contexts: NSManagedObjectContext?...) -> Bool {
        guard let scratch = contexts.lazy.compactMap({ $0 as? ScratchContext }).first else { return false }
        scratch.refusedRelationship = relationship
        return true
    }
}

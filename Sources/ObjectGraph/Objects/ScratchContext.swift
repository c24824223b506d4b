/// The context of the objects that batch requests hand out to be filled. These objects can't be related to others. An
/// attempt is noted here.
///
/// @unchecked Sendable: as its superclass; what is noted is confined to the queue on which the request runs.
final class ScratchContext: NSManagedObjectContext, @unchecked Sendable {
    /// The name of a relationship that a program tried to set between an object of this context and one of another
    /// context.
    private(set) var refusedRelationship: String?

    func forgetRefusal() { refusedRelationship = nil }

    /// Notes that a program tried to relate objects of two contexts.
    ///
    /// - Returns: false if neither is a scratch context: then it is a mistake in the program.
    static func refuse(_ relationship: String, between contexts: NSManagedObjectContext?...) -> Bool {
        guard let scratch = contexts.lazy.compactMap({ $0 as? ScratchContext }).first else { return false }
        scratch.refusedRelationship = relationship
        return true
    }
}

import Foundation
import OpenCoreData

/// Journal of surfing days.
///
/// Ported from `stores/kodeco-surfjournal/SurfJournalModel.xcdatamodel`.
enum SurfPort {
    @Entity final class JournalEntry: NSManagedObject {
        var date: Date?
        var height: String?
        var location: String?
        var period: String?
        var rating: Int16? = 0
        var wind: String?
    }

    static let entities: [any TypedObject.Type] = [JournalEntry.self]
}

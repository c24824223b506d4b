import Foundation
import OpenCoreData

/// What users keep: inheritance from an abstract entity.
///
/// Ported from `stores/srg-userdata-v5/SRGUserData_v5.xcdatamodel`.
enum UserDataPort {
    @Entity final class HistoryEntry: NSManagedObject {
        var date: Date?
        var deviceName: String?
        var dirty: Bool? = false
        var discarded: Bool? = false
        var lastPlaybackPosition: Double? = 0.0
        var mediaURN: String?
    }

    @Entity final class User: NSManagedObject {
        var accountUid: String?
        var historyLocalSynchronizationDate: Date?
        var historyServerSynchronizationDate: Date?
    }

    static let entities: [any TypedObject.Type] = [HistoryEntry.self, User.self]
}

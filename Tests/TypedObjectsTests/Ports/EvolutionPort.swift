import Foundation
import OpenCoreData

/// A composite attribute.
///
/// Ported from `models/coredata-evolution/CoreDataEvolutionIntegrationModel.xcdatamodeld/CoreDataEvolutionIntegrationModel.xcdatamodel`.
enum EvolutionPort {
    @Composite struct CDEItemLocation {
        var x: Double = 0.0
        var y: Double?
    }

    @Entity final class CDEItem: NSManagedObject {
        var id: UUID?
        var name: String = ""
        var priority: Int16 = 0
        var status_raw: String?
        var config_blob: Data?
        var location: CDEItemLocation?
        @Attribute(.transformable) var keywords_payload: NSObject?
        @Relationship(inverse: \CDETag.items) var tag: CDETag?
    }

    @Entity final class CDETag: NSManagedObject {
        var id: UUID?
        var label: String = ""
        var items: Set<CDEItem>
    }

    static let entities: [any TypedObject.Type] = [CDEItem.self, CDETag.self]
}

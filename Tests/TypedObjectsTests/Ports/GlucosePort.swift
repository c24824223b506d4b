import Foundation
import OpenCoreData

/// Samples of a glucose monitor: indexes, uniqueness, UUIDs.
///
/// Ported from `stores/loopkit-v1/Model.xcdatamodel`.
enum GlucosePort {
    @Entity final class CachedCarbObject: NSManagedObject {
        var absorptionTime: Double?
        var createdByCurrentApp: Bool
        var externalID: String?
        var foodType: String?
        var grams: Double = 0.0
        var startDate: Date
        @Attribute(.unique) var syncIdentifier: String?
        var syncVersion: Int32 = 1
        var uploadState: Int32 = 0
        @Attribute(.unique) var uuid: UUID?
    }

    @Entity final class CachedGlucoseObject: NSManagedObject {
        #Index<CachedGlucoseObject>([\.uuid], [\.startDate], [\.startDate], [\.syncIdentifier])
        var isDisplayOnly: Bool = false
        var provenanceIdentifier: String
        var startDate: Date
        @Attribute(.unique) var syncIdentifier: String
        var syncVersion: Int32 = 1
        var unitString: String
        var uploadState: Int32 = 0
        @Attribute(.unique) var uuid: UUID
        var value: Double
    }

    @Entity final class CachedInsulinDeliveryObject: NSManagedObject {
        #Index<CachedInsulinDeliveryObject>([\.uuid], [\.startDate, \.endDate], [\.syncIdentifier])
        var createdAt: Date
        var endDate: Date
        var hasLoopKitOrigin: Bool
        @Attribute(.originalName("scheduledTempBasalRate")) var programmedTempBasalRate: Double?
        var provenanceIdentifier: String
        var reason: Int16 = 0
        var scheduledBasalRate: Double?
        var scheduledTempBasalRate: Double?
        var startDate: Date
        @Attribute(.unique) var syncIdentifier: String
        @Attribute(.unique) var uuid: UUID
        var value: Double = 0.0
    }

    @Entity final class DeletedCarbObject: NSManagedObject {
        @Attribute(.unique) var externalID: String
        var startDate: Date
        var uploadState: Int32 = 0
    }

    @Entity final class PumpEvent: NSManagedObject {
        #Index<PumpEvent>([\.date], [\.type], [\.uploaded], [\.mutable])
        var createdAt: Date
        var date: Date
        var deliveredUnits: Double?
        var doseType: String?
        @Attribute(.range(0...)) var duration: Double = 0.0
        var mutable: Bool = false
        @Attribute(.unique) var raw: Data?
        var title: String?
        var type: String?
        var unit: String?
        var uploaded: Bool = false
        var value: Double?
    }

    @Entity final class Reservoir: NSManagedObject {
        #Index<Reservoir>([\.date])
        var createdAt: Date
        var date: Date
        var raw: Data?
        var volume: Double
    }

    static let entities: [any TypedObject.Type] = [
        CachedCarbObject.self, CachedGlucoseObject.self, CachedInsulinDeliveryObject.self, DeletedCarbObject.self, PumpEvent.self,
        Reservoir.self,
    ]
}

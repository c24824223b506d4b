//
//  Exhibit+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData


extension Exhibit {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Exhibit> {
        return NSFetchRequest<Exhibit>(entityName: "Exhibit")
    }

    @NSManaged public var acquired: Date?
    @NSManaged public var captionCount: Int64
    @NSManaged public var catalogPage: URL?
    @NSManaged public var changed: Date?
    @NSManaged public var insuredValue: NSDecimalNumber?
    @NSManaged public var isOnShow: Bool
    @NSManaged public var keywords: [String]?
    @NSManaged public var number: String?
    @NSManaged public var rank: NSNumber?
    @NSManaged public var searchTitle: String?
    @NSManaged public var tint: NSObject?
    @NSManaged public var title: String?
    @NSManaged public var uuid: UUID?
    @NSManaged public var views: Int64
    @NSManaged public var weight: Double
    @NSManaged public var captions: NSSet?
    @NSManaged public var exhibitions: NSSet?
    @NSManaged public var gallery: Gallery?
    @NSManaged public var loans: NSSet?
    @NSManaged public var makers: NSSet?
    @NSManaged public var scans: NSSet?
    @NSManaged public var stops: NSSet?

}

// MARK: Generated accessors for captions
extension Exhibit {

    @objc(addCaptionsObject:)
    @NSManaged public func addToCaptions(_ value: Caption)

    @objc(removeCaptionsObject:)
    @NSManaged public func removeFromCaptions(_ value: Caption)

    @objc(addCaptions:)
    @NSManaged public func addToCaptions(_ values: NSSet)

    @objc(removeCaptions:)
    @NSManaged public func removeFromCaptions(_ values: NSSet)

}

// MARK: Generated accessors for exhibitions
extension Exhibit {

    @objc(addExhibitionsObject:)
    @NSManaged public func addToExhibitions(_ value: Exhibition)

    @objc(removeExhibitionsObject:)
    @NSManaged public func removeFromExhibitions(_ value: Exhibition)

    @objc(addExhibitions:)
    @NSManaged public func addToExhibitions(_ values: NSSet)

    @objc(removeExhibitions:)
    @NSManaged public func removeFromExhibitions(_ values: NSSet)

}

// MARK: Generated accessors for loans
extension Exhibit {

    @objc(addLoansObject:)
    @NSManaged public func addToLoans(_ value: Loan)

    @objc(removeLoansObject:)
    @NSManaged public func removeFromLoans(_ value: Loan)

    @objc(addLoans:)
    @NSManaged public func addToLoans(_ values: NSSet)

    @objc(removeLoans:)
    @NSManaged public func removeFromLoans(_ values: NSSet)

}

// MARK: Generated accessors for makers
extension Exhibit {

    @objc(addMakersObject:)
    @NSManaged public func addToMakers(_ value: Maker)

    @objc(removeMakersObject:)
    @NSManaged public func removeFromMakers(_ value: Maker)

    @objc(addMakers:)
    @NSManaged public func addToMakers(_ values: NSSet)

    @objc(removeMakers:)
    @NSManaged public func removeFromMakers(_ values: NSSet)

}

// MARK: Generated accessors for scans
extension Exhibit {

    @objc(addScansObject:)
    @NSManaged public func addToScans(_ value: Scan)

    @objc(removeScansObject:)
    @NSManaged public func removeFromScans(_ value: Scan)

    @objc(addScans:)
    @NSManaged public func addToScans(_ values: NSSet)

    @objc(removeScans:)
    @NSManaged public func removeFromScans(_ values: NSSet)

}

// MARK: Generated accessors for stops
extension Exhibit {

    @objc(addStopsObject:)
    @NSManaged public func addToStops(_ value: Stop)

    @objc(removeStopsObject:)
    @NSManaged public func removeFromStops(_ value: Stop)

    @objc(addStops:)
    @NSManaged public func addToStops(_ values: NSSet)

    @objc(removeStops:)
    @NSManaged public func removeFromStops(_ values: NSSet)

}

extension Exhibit : Identifiable {

}

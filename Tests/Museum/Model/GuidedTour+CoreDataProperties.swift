//
//  GuidedTour+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData


extension GuidedTour {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<GuidedTour> {
        return NSFetchRequest<GuidedTour>(entityName: "GuidedTour")
    }

    @NSManaged public var language: String?
    @NSManaged public var guests: NSOrderedSet?
    @NSManaged public var stops: NSOrderedSet?

}

// MARK: Generated accessors for guests
extension GuidedTour {

    @objc(insertObject:inGuestsAtIndex:)
    @NSManaged public func insertIntoGuests(_ value: Visitor, at idx: Int)

    @objc(removeObjectFromGuestsAtIndex:)
    @NSManaged public func removeFromGuests(at idx: Int)

    @objc(insertGuests:atIndexes:)
    @NSManaged public func insertIntoGuests(_ values: [Visitor], at indexes: NSIndexSet)

    @objc(removeGuestsAtIndexes:)
    @NSManaged public func removeFromGuests(at indexes: NSIndexSet)

    @objc(replaceObjectInGuestsAtIndex:withObject:)
    @NSManaged public func replaceGuests(at idx: Int, with value: Visitor)

    @objc(replaceGuestsAtIndexes:withGuests:)
    @NSManaged public func replaceGuests(at indexes: NSIndexSet, with values: [Visitor])

    @objc(addGuestsObject:)
    @NSManaged public func addToGuests(_ value: Visitor)

    @objc(removeGuestsObject:)
    @NSManaged public func removeFromGuests(_ value: Visitor)

    @objc(addGuests:)
    @NSManaged public func addToGuests(_ values: NSOrderedSet)

    @objc(removeGuests:)
    @NSManaged public func removeFromGuests(_ values: NSOrderedSet)

}

// MARK: Generated accessors for stops
extension GuidedTour {

    @objc(insertObject:inStopsAtIndex:)
    @NSManaged public func insertIntoStops(_ value: Stop, at idx: Int)

    @objc(removeObjectFromStopsAtIndex:)
    @NSManaged public func removeFromStops(at idx: Int)

    @objc(insertStops:atIndexes:)
    @NSManaged public func insertIntoStops(_ values: [Stop], at indexes: NSIndexSet)

    @objc(removeStopsAtIndexes:)
    @NSManaged public func removeFromStops(at indexes: NSIndexSet)

    @objc(replaceObjectInStopsAtIndex:withObject:)
    @NSManaged public func replaceStops(at idx: Int, with value: Stop)

    @objc(replaceStopsAtIndexes:withStops:)
    @NSManaged public func replaceStops(at indexes: NSIndexSet, with values: [Stop])

    @objc(addStopsObject:)
    @NSManaged public func addToStops(_ value: Stop)

    @objc(removeStopsObject:)
    @NSManaged public func removeFromStops(_ value: Stop)

    @objc(addStops:)
    @NSManaged public func addToStops(_ values: NSOrderedSet)

    @objc(removeStops:)
    @NSManaged public func removeFromStops(_ values: NSOrderedSet)

}

extension GuidedTour : Identifiable {

}

//
//  Exhibition+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData


extension Exhibition {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Exhibition> {
        return NSFetchRequest<Exhibition>(entityName: "Exhibition")
    }

    @NSManaged public var closes: Date?
    @NSManaged public var opens: Date?
    @NSManaged public var title: String?
    @NSManaged public var admissions: NSSet?
    @NSManaged public var exhibits: NSOrderedSet?

}

// MARK: Generated accessors for admissions
extension Exhibition {

    @objc(addAdmissionsObject:)
    @NSManaged public func addToAdmissions(_ value: Admission)

    @objc(removeAdmissionsObject:)
    @NSManaged public func removeFromAdmissions(_ value: Admission)

    @objc(addAdmissions:)
    @NSManaged public func addToAdmissions(_ values: NSSet)

    @objc(removeAdmissions:)
    @NSManaged public func removeFromAdmissions(_ values: NSSet)

}

// MARK: Generated accessors for exhibits
extension Exhibition {

    @objc(insertObject:inExhibitsAtIndex:)
    @NSManaged public func insertIntoExhibits(_ value: Exhibit, at idx: Int)

    @objc(removeObjectFromExhibitsAtIndex:)
    @NSManaged public func removeFromExhibits(at idx: Int)

    @objc(insertExhibits:atIndexes:)
    @NSManaged public func insertIntoExhibits(_ values: [Exhibit], at indexes: NSIndexSet)

    @objc(removeExhibitsAtIndexes:)
    @NSManaged public func removeFromExhibits(at indexes: NSIndexSet)

    @objc(replaceObjectInExhibitsAtIndex:withObject:)
    @NSManaged public func replaceExhibits(at idx: Int, with value: Exhibit)

    @objc(replaceExhibitsAtIndexes:withExhibits:)
    @NSManaged public func replaceExhibits(at indexes: NSIndexSet, with values: [Exhibit])

    @objc(addExhibitsObject:)
    @NSManaged public func addToExhibits(_ value: Exhibit)

    @objc(removeExhibitsObject:)
    @NSManaged public func removeFromExhibits(_ value: Exhibit)

    @objc(addExhibits:)
    @NSManaged public func addToExhibits(_ values: NSOrderedSet)

    @objc(removeExhibits:)
    @NSManaged public func removeFromExhibits(_ values: NSOrderedSet)

}

extension Exhibition : Identifiable {

}

//
//  Maker+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData


extension Maker {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Maker> {
        return NSFetchRequest<Maker>(entityName: "Maker")
    }

    @NSManaged public var isAnonymous: NSNumber?
    @NSManaged public var pupils: NSSet?
    @NSManaged public var teachers: NSSet?
    @NSManaged public var works: NSSet?

}

// MARK: Generated accessors for pupils
extension Maker {

    @objc(addPupilsObject:)
    @NSManaged public func addToPupils(_ value: Maker)

    @objc(removePupilsObject:)
    @NSManaged public func removeFromPupils(_ value: Maker)

    @objc(addPupils:)
    @NSManaged public func addToPupils(_ values: NSSet)

    @objc(removePupils:)
    @NSManaged public func removeFromPupils(_ values: NSSet)

}

// MARK: Generated accessors for teachers
extension Maker {

    @objc(addTeachersObject:)
    @NSManaged public func addToTeachers(_ value: Maker)

    @objc(removeTeachersObject:)
    @NSManaged public func removeFromTeachers(_ value: Maker)

    @objc(addTeachers:)
    @NSManaged public func addToTeachers(_ values: NSSet)

    @objc(removeTeachers:)
    @NSManaged public func removeFromTeachers(_ values: NSSet)

}

// MARK: Generated accessors for works
extension Maker {

    @objc(addWorksObject:)
    @NSManaged public func addToWorks(_ value: Exhibit)

    @objc(removeWorksObject:)
    @NSManaged public func removeFromWorks(_ value: Exhibit)

    @objc(addWorks:)
    @NSManaged public func addToWorks(_ values: NSSet)

    @objc(removeWorks:)
    @NSManaged public func removeFromWorks(_ values: NSSet)

}

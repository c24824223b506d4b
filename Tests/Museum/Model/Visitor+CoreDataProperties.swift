//
//  Visitor+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData


extension Visitor {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Visitor> {
        return NSFetchRequest<Visitor>(entityName: "Visitor")
    }

    @NSManaged public var greeting: String?
    @NSManaged public var nickname: String?
    @NSManaged public var admissions: NSSet?
    @NSManaged public var tours: NSSet?

}

// MARK: Generated accessors for admissions
extension Visitor {

    @objc(addAdmissionsObject:)
    @NSManaged public func addToAdmissions(_ value: Admission)

    @objc(removeAdmissionsObject:)
    @NSManaged public func removeFromAdmissions(_ value: Admission)

    @objc(addAdmissions:)
    @NSManaged public func addToAdmissions(_ values: NSSet)

    @objc(removeAdmissions:)
    @NSManaged public func removeFromAdmissions(_ values: NSSet)

}

// MARK: Generated accessors for tours
extension Visitor {

    @objc(addToursObject:)
    @NSManaged public func addToTours(_ value: GuidedTour)

    @objc(removeToursObject:)
    @NSManaged public func removeFromTours(_ value: GuidedTour)

    @objc(addTours:)
    @NSManaged public func addToTours(_ values: NSSet)

    @objc(removeTours:)
    @NSManaged public func removeFromTours(_ values: NSSet)

}

extension Visitor : Identifiable {

}

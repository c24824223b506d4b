//
//  Keeper+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData


extension Keeper {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Keeper> {
        return NSFetchRequest<Keeper>(entityName: "Keeper")
    }

    @NSManaged public var boss: Keeper?
    @NSManaged public var galleries: NSSet?
    @NSManaged public var staff: NSSet?

}

// MARK: Generated accessors for galleries
extension Keeper {

    @objc(addGalleriesObject:)
    @NSManaged public func addToGalleries(_ value: Gallery)

    @objc(removeGalleriesObject:)
    @NSManaged public func removeFromGalleries(_ value: Gallery)

    @objc(addGalleries:)
    @NSManaged public func addToGalleries(_ values: NSSet)

    @objc(removeGalleries:)
    @NSManaged public func removeFromGalleries(_ values: NSSet)

}

// MARK: Generated accessors for staff
extension Keeper {

    @objc(addStaffObject:)
    @NSManaged public func addToStaff(_ value: Keeper)

    @objc(removeStaffObject:)
    @NSManaged public func removeFromStaff(_ value: Keeper)

    @objc(addStaff:)
    @NSManaged public func addToStaff(_ values: NSSet)

    @objc(removeStaff:)
    @NSManaged public func removeFromStaff(_ values: NSSet)

}

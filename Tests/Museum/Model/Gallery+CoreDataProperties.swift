//
//  Gallery+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData


extension Gallery {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Gallery> {
        return NSFetchRequest<Gallery>(entityName: "Gallery")
    }

    @NSManaged public var name: String?
    @NSManaged public var devices: NSSet?
    @NSManaged public var exhibits: NSSet?
    @NSManaged public var floor: Floor?
    @NSManaged public var keeper: Keeper?

}

// MARK: Generated accessors for devices
extension Gallery {

    @objc(addDevicesObject:)
    @NSManaged public func addToDevices(_ value: Device)

    @objc(removeDevicesObject:)
    @NSManaged public func removeFromDevices(_ value: Device)

    @objc(addDevices:)
    @NSManaged public func addToDevices(_ values: NSSet)

    @objc(removeDevices:)
    @NSManaged public func removeFromDevices(_ values: NSSet)

}

// MARK: Generated accessors for exhibits
extension Gallery {

    @objc(addExhibitsObject:)
    @NSManaged public func addToExhibits(_ value: Exhibit)

    @objc(removeExhibitsObject:)
    @NSManaged public func removeFromExhibits(_ value: Exhibit)

    @objc(addExhibits:)
    @NSManaged public func addToExhibits(_ values: NSSet)

    @objc(removeExhibits:)
    @NSManaged public func removeFromExhibits(_ values: NSSet)

}

extension Gallery : Identifiable {

}

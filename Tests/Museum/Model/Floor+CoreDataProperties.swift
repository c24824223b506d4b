//
//  Floor+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData


extension Floor {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Floor> {
        return NSFetchRequest<Floor>(entityName: "Floor")
    }

    @NSManaged public var level: Int16
    @NSManaged public var galleries: NSOrderedSet?

}

// MARK: Generated accessors for galleries
extension Floor {

    @objc(insertObject:inGalleriesAtIndex:)
    @NSManaged public func insertIntoGalleries(_ value: Gallery, at idx: Int)

    @objc(removeObjectFromGalleriesAtIndex:)
    @NSManaged public func removeFromGalleries(at idx: Int)

    @objc(insertGalleries:atIndexes:)
    @NSManaged public func insertIntoGalleries(_ values: [Gallery], at indexes: NSIndexSet)

    @objc(removeGalleriesAtIndexes:)
    @NSManaged public func removeFromGalleries(at indexes: NSIndexSet)

    @objc(replaceObjectInGalleriesAtIndex:withObject:)
    @NSManaged public func replaceGalleries(at idx: Int, with value: Gallery)

    @objc(replaceGalleriesAtIndexes:withGalleries:)
    @NSManaged public func replaceGalleries(at indexes: NSIndexSet, with values: [Gallery])

    @objc(addGalleriesObject:)
    @NSManaged public func addToGalleries(_ value: Gallery)

    @objc(removeGalleriesObject:)
    @NSManaged public func removeFromGalleries(_ value: Gallery)

    @objc(addGalleries:)
    @NSManaged public func addToGalleries(_ values: NSOrderedSet)

    @objc(removeGalleries:)
    @NSManaged public func removeFromGalleries(_ values: NSOrderedSet)

}

extension Floor : Identifiable {

}

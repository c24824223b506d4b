//
//  Statue+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData


extension Statue {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Statue> {
        return NSFetchRequest<Statue>(entityName: "Statue")
    }

    @NSManaged public var castings: NSNumber?
    @NSManaged public var material: Int16

}

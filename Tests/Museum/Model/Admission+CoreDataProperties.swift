//
//  Admission+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData


extension Admission {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Admission> {
        return NSFetchRequest<Admission>(entityName: "Admission")
    }

    @NSManaged public var kind: Int16
    @NSManaged public var price: NSDecimalNumber?
    @NSManaged public var sold: Date?
    @NSManaged public var exhibition: Exhibition?
    @NSManaged public var visitor: Visitor?

}

extension Admission : Identifiable {

}

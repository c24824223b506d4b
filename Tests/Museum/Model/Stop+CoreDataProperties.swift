//
//  Stop+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData


extension Stop {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Stop> {
        return NSFetchRequest<Stop>(entityName: "Stop")
    }

    @NSManaged public var minutes: Int32
    @NSManaged public var exhibit: Exhibit?
    @NSManaged public var tour: GuidedTour?

}

extension Stop : Identifiable {

}

//
//  Caption+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData


extension Caption {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Caption> {
        return NSFetchRequest<Caption>(entityName: "Caption")
    }

    @NSManaged public var language: String?
    @NSManaged public var text: String?
    @NSManaged public var exhibit: Exhibit?

}

extension Caption : Identifiable {

}

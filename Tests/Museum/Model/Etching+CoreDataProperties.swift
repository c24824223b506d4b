//
//  Etching+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData


extension Etching {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Etching> {
        return NSFetchRequest<Etching>(entityName: "Etching")
    }

    @NSManaged public var edition: Int32
    @NSManaged public var stateOf: Etching?
    @NSManaged public var states: Etching?

}

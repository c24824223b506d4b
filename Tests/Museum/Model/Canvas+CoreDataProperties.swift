//
//  Canvas+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData


extension Canvas {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Canvas> {
        return NSFetchRequest<Canvas>(entityName: "Canvas")
    }

    @NSManaged public var height: NSNumber?
    @NSManaged public var palette: Palette?
    @NSManaged public var width: Float

}

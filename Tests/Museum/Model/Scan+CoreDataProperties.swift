//
//  Scan+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData


extension Scan {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Scan> {
        return NSFetchRequest<Scan>(entityName: "Scan")
    }

    @NSManaged public var checksum: Data?
    @NSManaged public var image: Data?
    @NSManaged public var exhibit: Exhibit?

}

extension Scan : Identifiable {

}

//
//  Contact+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData


extension Contact {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Contact> {
        return NSFetchRequest<Contact>(entityName: "Contact")
    }

    @NSManaged public var born: TimeInterval
    @NSManaged public var email: String?
    @NSManaged public var name: String?
    @NSManaged public var portrait: Data?

}

extension Contact : Identifiable {

}

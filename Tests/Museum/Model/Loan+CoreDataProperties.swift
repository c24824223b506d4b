//
//  Loan+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData


extension Loan {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Loan> {
        return NSFetchRequest<Loan>(entityName: "Loan")
    }

    @NSManaged public var ends: Date?
    @NSManaged public var fee: NSDecimalNumber?
    @NSManaged public var starts: Date?
    @NSManaged public var borrower: Borrower?
    @NSManaged public var exhibit: Exhibit?

}

extension Loan : Identifiable {

}

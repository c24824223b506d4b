//
//  Borrower+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData


extension Borrower {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Borrower> {
        return NSFetchRequest<Borrower>(entityName: "Borrower")
    }

    @NSManaged public var address: [String : Any]?
    @NSManaged public var name: String?
    @NSManaged public var loans: NSSet?

}

// MARK: Generated accessors for loans
extension Borrower {

    @objc(addLoansObject:)
    @NSManaged public func addToLoans(_ value: Loan)

    @objc(removeLoansObject:)
    @NSManaged public func removeFromLoans(_ value: Loan)

    @objc(addLoans:)
    @NSManaged public func addToLoans(_ values: NSSet)

    @objc(removeLoans:)
    @NSManaged public func removeFromLoans(_ values: NSSet)

}

extension Borrower : Identifiable {

}

//
//  Loan+CoreDataClass.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData

@objc(Loan)
public class Loan: NSManagedObject {
    public override func validateForInsert() throws {
        try super.validateForInsert()
        try validateDates()
    }

    public override func validateForUpdate() throws {
        try super.validateForUpdate()
        try validateDates()
    }

    private func validateDates() throws {
        guard let starts = starts, let ends = ends, ends < starts else { return }
        throw NSError(
            domain: NSCocoaErrorDomain, code: NSManagedObjectValidationError,
            userInfo: [
                NSLocalizedDescriptionKey: "A loan ends after it starts.", NSValidationObjectErrorKey: self,
                NSValidationKeyErrorKey: #keyPath(Loan.ends),
            ])
    }
}

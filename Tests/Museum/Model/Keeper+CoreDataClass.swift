//
//  Keeper+CoreDataClass.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData

@objc(Keeper)
public class Keeper: Contact {
    public override func validateForDelete() throws {
        try super.validateForDelete()
        guard staff?.count == 0 else {
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSValidationRelationshipDeniedDeleteError,
                userInfo: [NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: #keyPath(Keeper.staff)])
        }
    }
}

//
//  Exhibition+CoreDataClass.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData

@objc(Exhibition)
public class Exhibition: NSManagedObject {
    /// A fetched property: Xcode generates none.
    @NSManaged public var expensiveAdmissions: [Admission]
}

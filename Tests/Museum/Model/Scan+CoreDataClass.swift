//
//  Scan+CoreDataClass.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData

@objc(Scan)
public class Scan: NSManagedObject {
    public override func prepareForDeletion() {
        super.prepareForDeletion()
        exhibit?.title = "(unscanned)"
    }
}

//
//  Borrower+CoreDataClass.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData

@objc(Borrower)
public class Borrower: NSManagedObject {

}

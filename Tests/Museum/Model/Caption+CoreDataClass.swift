//
//  Caption+CoreDataClass.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData

@objc(Caption)
public class Caption: NSManagedObject {

}

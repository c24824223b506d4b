//
//  SensorReading+CoreDataClass.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

public import Foundation
public import CoreData

public typealias SensorReadingCoreDataClassSet = NSSet

@objc(SensorReading)
public class SensorReading: NSManagedObject {

}

//
//  SensorReading+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

public import Foundation
public import CoreData


public typealias SensorReadingCoreDataPropertiesSet = NSSet

extension SensorReading {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<SensorReading> {
        return NSFetchRequest<SensorReading>(entityName: "SensorReading")
    }

    @NSManaged public var boolean: Bool
    @NSManaged public var count16: Int16
    @NSManaged public var count32: Int32
    @NSManaged public var count64: Int64
    @NSManaged public var double: Double
    @NSManaged public var float: Float
    @NSManaged public var noBoolean: NSNumber?
    @NSManaged public var noCount16: NSNumber?
    @NSManaged public var noCount32: NSNumber?
    @NSManaged public var noCount64: NSNumber?
    @NSManaged public var noDouble: NSNumber?
    @NSManaged public var noFloat: NSNumber?
    @NSManaged public var taken: TimeInterval
    @NSManaged public var device: Device?

}

extension SensorReading : Identifiable {

}

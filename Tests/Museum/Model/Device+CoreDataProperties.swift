//
//  Device+CoreDataProperties.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

public import Foundation
public import CoreData


public typealias DeviceCoreDataPropertiesSet = NSSet

extension Device {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Device> {
        return NSFetchRequest<Device>(entityName: "Device")
    }

    @NSManaged public var serial: UUID?
    @NSManaged public var gallery: Gallery?
    @NSManaged public var readings: NSOrderedSet?

}

// MARK: Generated accessors for readings
extension Device {

    @objc(insertObject:inReadingsAtIndex:)
    @NSManaged public func insertIntoReadings(_ value: SensorReading, at idx: Int)

    @objc(removeObjectFromReadingsAtIndex:)
    @NSManaged public func removeFromReadings(at idx: Int)

    @objc(insertReadings:atIndexes:)
    @NSManaged public func insertIntoReadings(_ values: [SensorReading], at indexes: NSIndexSet)

    @objc(removeReadingsAtIndexes:)
    @NSManaged public func removeFromReadings(at indexes: NSIndexSet)

    @objc(replaceObjectInReadingsAtIndex:withObject:)
    @NSManaged public func replaceReadings(at idx: Int, with value: SensorReading)

    @objc(replaceReadingsAtIndexes:withReadings:)
    @NSManaged public func replaceReadings(at indexes: NSIndexSet, with values: [SensorReading])

    @objc(addReadingsObject:)
    @NSManaged public func addToReadings(_ value: SensorReading)

    @objc(removeReadingsObject:)
    @NSManaged public func removeFromReadings(_ value: SensorReading)

    @objc(addReadings:)
    @NSManaged public func addToReadings(_ values: NSOrderedSet)

    @objc(removeReadings:)
    @NSManaged public func removeFromReadings(_ values: NSOrderedSet)

}

extension Device : Identifiable {

}

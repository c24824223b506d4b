//
//  Device+CoreDataClass.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

public import Foundation
public import CoreData

public typealias DeviceCoreDataClassSet = NSSet

@objc(Device)
public class Device: NSManagedObject {
    public override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
    }

    @discardableResult
    public convenience init(context: NSManagedObjectContext) {
        self.init(entity: Device.entity(), insertInto: context)
        serial = UUID()
    }
}

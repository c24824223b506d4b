//
//  Visitor+CoreDataClass.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData

@objc(Visitor)
public class Visitor: NSManagedObject {
    @NSManaged private var primitiveGreeting: String?

    /// A transient value, made when it is wanted.
    public var hello: String {
        if greeting == nil { primitiveGreeting = "Hello, \(nickname ?? "stranger")" }
        return greeting ?? ""
    }

    public override func didTurnIntoFault() {
        super.didTurnIntoFault()
        Visitor.faults += 1
    }

    nonisolated(unsafe) public static var faults = 0
}

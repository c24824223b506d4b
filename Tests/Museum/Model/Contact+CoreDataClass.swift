//
//  Contact+CoreDataClass.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData

@objc(Contact)
public class Contact: NSManagedObject {
    @objc public var initials: String {
        return name?.split(separator: " ").compactMap { $0.first.map(String.init) }.joined() ?? ""
    }

    public override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        if key == #keyPath(Contact.email), let email = value.pointee as? String {
            value.pointee = email.lowercased() as NSString
        }
        try super.validateValue(value, forKey: key)
    }
}

//
//  Statue+CoreDataClass.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData

@objc(Statue)
public class Statue: Exhibit {
    @objc public enum Material: Int16 {
        case bronze, marble, wood
    }

    /// What the attribute stores, as an enumeration.
    public var kind: Material {
        get { return Material(rawValue: material) ?? .bronze }
        set { material = newValue.rawValue }
    }
}

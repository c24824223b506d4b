//
//  Canvas+CoreDataClass.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData

@objc(Canvas)
public class Canvas: Exhibit {
    /// In square metres.
    @objc public var area: Float {
        return width * (height?.floatValue ?? 0)
    }
}

//
//  Maker+CoreDataClass.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData

@objc(Maker)
public class Maker: Contact {

}

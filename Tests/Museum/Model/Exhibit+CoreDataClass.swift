//
//  Exhibit+CoreDataClass.swift
//  Museum
//
//  Created by Museum on 30.11.26.
//
//

import Foundation
import CoreData

@objc(Exhibit)
public class Exhibit: NSManagedObject {
    @NSManaged private var primitiveUuid: UUID?
    @NSManaged private var primitiveViews: NSNumber
    @NSManaged private var primitiveTitle: String?

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        primitiveUuid = UUID()
        setPrimitiveValue(Date(), forKey: #keyPath(Exhibit.acquired))
    }

    public override func awakeFromFetch() {
        super.awakeFromFetch()
        readings += 1
    }

    public override func willSave() {
        super.willSave()
        if let title = primitiveTitle, title != title.trimmingCharacters(in: .whitespaces) {
            primitiveTitle = title.trimmingCharacters(in: .whitespaces)
        }
    }

    /// How often the store was asked.
    @objc dynamic public private(set) var readings = 0

    /// Counts without anybody being told.
    public func countView() {
        primitiveViews = NSNumber(value: primitiveViews.int64Value + 1)
    }

    /// A title of blanks is none.
    @objc public func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let title = value.pointee as? String, title.trimmingCharacters(in: .whitespaces).isEmpty else { return }
        value.pointee = nil
    }

    @objc public func validateRank(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let rank = value.pointee as? Int, !(1...5).contains(rank) else { return }
        throw NSError(domain: "Museum", code: 1, userInfo: [NSLocalizedDescriptionKey: "A rank is from 1 to 5, not \(rank)."])
    }
}

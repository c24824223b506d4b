import CoreData
import Foundation

@objc(Chapter)
public class Chapter: NSManagedObject {
    @nonobjc public class func fetchRequest() -> NSFetchRequest<Chapter> {
        return NSFetchRequest<Chapter>(entityName: "Chapter")
    }

    @NSManaged public var heading: String?
    @NSManaged public var book: Book?
}

// Transformable attributes, by the types that people give them.
extension Chapter {
    @NSManaged public var keywords: [String]?
    @NSManaged public var links: [String: String]?
    @NSManaged public var marks: NSArray?
    @NSManaged public var facts: NSDictionary?
    @NSManaged public var anything: NSObject?
    @NSManaged public var readers: [UUID: Int64]
}

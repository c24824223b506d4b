import Foundation
import OpenCoreData

@objc(Chapter)
public class Chapter: NSManagedObject {
    @nonobjc public class func fetchRequest() -> NSFetchRequest<Chapter> {
        return NSFetchRequest<Chapter>(entityName: "Chapter")
    }

    @NSManaged public var heading: String?
    @NSManaged public var book: Book?
}

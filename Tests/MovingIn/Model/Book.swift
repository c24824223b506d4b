import CoreData
import Foundation

@objc(Book)
public class Book: NSManagedObject, Decodable {
    @NSManaged private var primitiveAdded: Date?

    enum CodingKeys: String, CodingKey {
        case isbn, title, pages
    }

    // A managed object that is read from JSON: the context comes with the decoder.
    public required convenience init(from decoder: Decoder) throws {
        guard let context = decoder.userInfo[.managedObjectContext] as? NSManagedObjectContext else {
            throw DecoderConfigurationError.missingManagedObjectContext
        }
        self.init(context: context)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        isbn = try container.decode(String.self, forKey: .isbn)
        title = try container.decode(String.self, forKey: .title)
        pages = try container.decodeIfPresent(Int32.self, forKey: .pages) ?? 0
    }

    public override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
    }

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        primitiveAdded = Date()
    }

    public override func validateForInsert() throws {
        try super.validateForInsert()
        try validatePages()
    }

    public override func validateForUpdate() throws {
        try super.validateForUpdate()
        try validatePages()
    }

    private func validatePages() throws {
        guard pages >= 0 else {
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSValidationNumberTooSmallError,
                userInfo: [
                    NSLocalizedDescriptionKey: "A book has no less than 0 pages.",
                    NSValidationObjectErrorKey: self,
                    NSValidationKeyErrorKey: #keyPath(Book.pages),
                    NSValidationValueErrorKey: pages,
                ])
        }
    }

    @objc var sectionTitle: String {
        return String(title.prefix(1))
    }
}

extension Book {
    @nonobjc public class func fetchRequest() -> NSFetchRequest<Book> {
        return NSFetchRequest<Book>(entityName: "Book")
    }

    @NSManaged public var isbn: String
    @NSManaged public var title: String
    @NSManaged public var pages: Int32
    @NSManaged public var price: NSDecimalNumber?
    @NSManaged public var rating: NSNumber?
    @NSManaged public var isLent: Bool
    @NSManaged public var added: Date?
    @NSManaged public var shelfMark: NSString?
    @NSManaged public var author: Author?
    @NSManaged public var chapters: NSOrderedSet?
}

// MARK: Generated accessors for chapters
extension Book {
    @objc(insertObject:inChaptersAtIndex:)
    @NSManaged public func insertIntoChapters(_ value: Chapter, at idx: Int)

    @objc(removeObjectFromChaptersAtIndex:)
    @NSManaged public func removeFromChapters(at idx: Int)

    @objc(addChaptersObject:)
    @NSManaged public func addToChapters(_ value: Chapter)
}

extension Book: Managed {
    static var defaultSortDescriptors: [NSSortDescriptor] {
        return [NSSortDescriptor(key: #keyPath(Book.title), ascending: true)]
    }

    static var unread: NSPredicate {
        return NSPredicate(format: "%K == nil", #keyPath(Book.rating))
    }

    static func longer(than pages: Int) -> NSPredicate {
        return NSPredicate(format: "%K > %ld", #keyPath(Book.pages), pages)
    }
}

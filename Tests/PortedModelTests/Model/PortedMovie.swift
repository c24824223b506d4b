import CoreData

@objc enum Shelf: Int16 {
    case top, bottom
}

@objc protocol Rated {
    var rating: Double { get set }
}

@objc(PortedMovie)
@objcMembers
public final class PortedMovie: NSManagedObject {
    @NSManaged public var id: UUID?, page: URL?
    @NSManaged public var title: String
    @NSManaged public var budget: NSDecimalNumber?
    @NSManaged public var created: Date?
    @NSManaged public var duration: Int32
    @NSManaged public var isSeen: Bool
    @NSManaged public var poster: Data?
    @NSManaged dynamic public var rating: Double
    @NSManaged public var votes: NSNumber?
    @NSManaged private var shelf: Int16
    @NSManaged private var primitiveCreated: Date?
    @NSManaged public var actors: NSSet?
    @NSManaged public var director: PortedPerson?
    @NSManaged public var scenes: NSOrderedSet?

    override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
    }

    @nonobjc public class func fetchRequest() -> NSFetchRequest<PortedMovie> {
        return NSFetchRequest<PortedMovie>(entityName: "PortedMovie")
    }

    static func deletions() -> [NSBatchDeleteRequest] {
        let request = PortedMovie.fetchRequest()
        let other = PortedMovie.fetchRequest() as! NSFetchRequest<NSFetchRequestResult>
        return [
            NSBatchDeleteRequest(fetchRequest: request as! NSFetchRequest<NSFetchRequestResult>),
            NSBatchDeleteRequest(fetchRequest: other),
        ]
    }

    dynamic var place: Shelf {
        get { Shelf(rawValue: shelf) ?? .bottom }
        set { shelf = newValue.rawValue }
    }

    static let keys = [#keyPath(PortedMovie.title), #keyPath(PortedMovie.director.name), ratingKey]
    private static let ratingKey = NSStringFromSelector(#selector(getter: PortedMovie.rating))

    static var order: NSSortDescriptor {
        return NSSortDescriptor(
            key: #keyPath(
                PortedMovie.title
            ), ascending: true, selector: #selector(NSString.localizedStandardCompare(_:)))
    }

    /// The line that the compiler counts, and the file.
    static let line = #line, file = "\(#filePath)"
}

extension PortedMovie: Rated {
    override public func awakeFromInsert() {
        super.awakeFromInsert()
        primitiveCreated = Date(timeIntervalSinceReferenceDate: 0)
    }
}

// MARK: Generated accessors for actors
extension PortedMovie {
    @objc(addActorsObject:)
    @NSManaged public func addToActors(_ value: PortedActor)

    @objc(removeActorsObject:)
    @NSManaged public func removeFromActors(_ value: PortedActor)

    @objc(addActors:)
    @NSManaged public func addToActors(_ values: NSSet)

    @objc(removeActors:)
    @NSManaged public func removeFromActors(_ values: NSSet)
}

// MARK: Generated accessors for scenes
extension PortedMovie {
    @objc(insertObject:inScenesAtIndex:)
    @NSManaged public func insertIntoScenes(_ value: PortedScene, at idx: Int)

    @objc(removeObjectFromScenesAtIndex:)
    @NSManaged public func removeFromScenes(at idx: Int)

    @objc(insertScenes:atIndexes:)
    @NSManaged public func insertIntoScenes(_ values: [PortedScene], at indexes: NSIndexSet)

    @objc(removeScenesAtIndexes:)
    @NSManaged public func removeFromScenes(at indexes: NSIndexSet)

    @objc(replaceObjectInScenesAtIndex:withObject:)
    @NSManaged public func replaceScenes(at idx: Int, with value: PortedScene)

    @objc(replaceScenesAtIndexes:withScenes:)
    @NSManaged public func replaceScenes(at indexes: NSIndexSet, with values: [PortedScene])

    @objc(addScenesObject:)
    @NSManaged public func addToScenes(_ value: PortedScene)

    @objc(removeScenesObject:)
    @NSManaged public func removeFromScenes(_ value: PortedScene)

    @objc(addScenes:)
    @NSManaged public func addToScenes(_ values: NSOrderedSet)

    @objc(removeScenes:)
    @NSManaged public func removeFromScenes(_ values: NSOrderedSet)
}

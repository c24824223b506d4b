import CoreData

@objc(PortedScene)
public class PortedScene: NSManagedObject {
    @NSManaged public var text: String?
    @NSManaged public var movie: PortedMovie?
}

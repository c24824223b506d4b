import OpenCoreData

@objc(Scene)
public class Scene: NSManagedObject {
    @NSManaged public var text: String?
    @NSManaged public var movie: Movie?
}

import OpenCoreData

@objc(Person)
public class Person: NSManagedObject {
    @NSManaged public var name: String?
    @NSManaged public var directed: Set<Movie>
}

extension Person {
    @objc(addDirectedObject:)
    @NSManaged public func addToDirected(_ value: Movie)
}

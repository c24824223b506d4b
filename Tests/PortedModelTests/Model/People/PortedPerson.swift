import CoreData

@objc(PortedPerson)
public class PortedPerson: NSManagedObject {
    @NSManaged public var name: String?
    @NSManaged public var directed: Set<PortedMovie>
}

extension PortedPerson {
    @objc(addDirectedObject:)
    @NSManaged public func addToDirected(_ value: PortedMovie)
}

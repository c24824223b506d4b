import CoreData

@objc(PortedActor)
public class PortedActor: PortedPerson {
    @NSManaged public var movies: NSSet?
}

#if canImport(UIKit)
    import UIKit

    extension PortedActor {
        @objc func show(in view: UIView) {}
    }
#endif

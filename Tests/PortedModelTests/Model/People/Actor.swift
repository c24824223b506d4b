import OpenCoreData

@objc(Actor)
public class Actor: Person {
    @NSManaged public var movies: NSSet?
}

#if canImport(UIKit)
    import UIKit

    extension Actor {
        @objc func show(in view: UIView) {}
    }
#endif

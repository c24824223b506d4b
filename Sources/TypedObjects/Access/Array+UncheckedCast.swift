import ObjectGraph

extension [NSManagedObject] {
    /// The same array with a narrower element type, or nil if an element is of another class. The objects are looked at once, without a copy.
    package func castToArray<Object: NSManagedObject>(of type: Object.Type) -> [Object]? {
        var lastClass: NSManagedObject.Type = Object.self
        for object in self {
            let objectClass = Swift.type(of: object)
            if objectClass == lastClass { continue }
            guard objectClass is Object.Type else { return nil }
            lastClass = objectClass
        }
        // Sound: every element has just been found to be an `Object`, and arrays of class instances have one layout, whatever the class: a
        // reference to a buffer of references. The array is a value, so nobody can put another object in between.
        return unsafeBitCast(self, to: [Object].self)
    }
}

package import ObjectGraph

extension [NSManagedObject] {
    /// The same array with a narrower element type, or nil if an element is of another class. The objects are looked at once,
    /// without a copy.
    package func castToArray<Object: NSManagedObject>(of type: Object.Type) -> [Object]? {
        var lastClass: NSManagedObject.Type = Object.self
        var areFitting = true
        withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            // An unmanaged reference has the representation of a reference, and is not retained to be looked at.
            let references = UnsafeRawPointer(start).assumingMemoryBound(to: Unmanaged<NSManagedObject>.self)
            for index in buffer.indices where areFitting {
                let objectClass: NSManagedObject.Type = references[index]._withUnsafeGuaranteedRef { Swift.type(of: $0) }
                if objectClass == lastClass { continue }
                areFitting = objectClass is Object.Type
                lastClass = objectClass
            }
        }
        guard areFitting else { return nil }
        // Sound: every element has just been found to be an `Object`, and arrays of class instances have one layout, whatever the
        // class: a reference to a buffer of references. The array is a value, so nobody can put another object in between.
        return unsafeBitCast(self, to: [Object].self)
    }
}

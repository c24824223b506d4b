package import ObjectGraph

extension [NSManagedObject] {
    /// Casts the array to a narrower element type without copying it. The result is nil if an element is of another class.
    package func castToArray<Object: NSManagedObject>(of type: Object.Type) -> [Object]? {
        var lastClass: NSManagedObject.Type = Object.self
        var areFitting = true
        withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            // An unmanaged reference has the same representation as a reference, and reading it does not retain the object.
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
        // class: a reference to a buffer of references. The array is a value, so no other code can change it meanwhile.
        return unsafeBitCast(self, to: [Object].self)
    }
}

extension ContiguousArray where Element: AnyObject {
    /// Calls `body` with each element without retaining it. The array retains it, even while `body` changes the
    /// variable that the array came from.
    ///
    /// A retain writes into the object. It doubles the cost of a loop that only reads many objects.
    @inline(__always) func forEachUnretained(_ body: (Element) throws -> Void) rethrows {
        try withUnsafeBufferPointer { try $0.forEachUnretained(body) }
    }
}

extension Array where Element: AnyObject {
    /// As `ContiguousArray.forEachUnretained(_:)`.
    @inline(__always) func forEachUnretained(_ body: (Element) throws -> Void) rethrows {
        try withUnsafeBufferPointer { try $0.forEachUnretained(body) }
    }
}

extension ArraySlice where Element: AnyObject {
    /// As `ContiguousArray.forEachUnretained(_:)`.
    @inline(__always) func forEachUnretained(_ body: (Element) throws -> Void) rethrows {
        try withUnsafeBufferPointer { try $0.forEachUnretained(body) }
    }
}

extension UnsafeBufferPointer where Element: AnyObject {
    @inline(__always) fileprivate func forEachUnretained(_ body: (Element) throws -> Void) rethrows {
        guard let baseAddress else { return }
        // An unmanaged reference has the representation of a reference.
        let references = UnsafeRawPointer(baseAddress).assumingMemoryBound(to: Unmanaged<Element>.self)
        for index in 0..<count { try references[index]._withUnsafeGuaranteedRef(body) }
    }
}

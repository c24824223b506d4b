extension ContiguousArray where Element: AnyObject {
    /// Calls `body` with each element without retaining it: the array does that, also while `body` changes the place it came from.
    ///
    /// A retain writes into the object, so a loop over many objects that only reads them costs twice as much with it.
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

extension UnsafeBufferPointer where Element: AnyObject {
    @inline(__always) fileprivate func forEachUnretained(_ body: (Element) throws -> Void) rethrows {
        guard let baseAddress else { return }
        // An unmanaged reference has the representation of a reference.
        let references = UnsafeRawPointer(baseAddress).assumingMemoryBound(to: Unmanaged<Element>.self)
        for index in 0..<count { try references[index]._withUnsafeGuaranteedRef(body) }
    }
}

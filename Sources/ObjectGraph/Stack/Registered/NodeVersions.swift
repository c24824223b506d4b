import Storage

/// Counts the versions of a program's objects as rows count theirs, whatever numbers the program's nodes have.
struct NodeVersions {
    private struct Entry {
        /// The node's; nil if it has not been read since the object was saved.
        var given: UInt64?
        var counted: Int64
    }

    private var entries: [RowKey: Entry] = [:]

    /// The version of a row that is made of a node.
    mutating func version(_ key: RowKey, of given: UInt64) -> Int64 {
        guard let known = entries[key] else {
            entries[key] = Entry(given: given, counted: 1)
            return 1
        }
        if known.given == given { return known.counted }
        let counted = known.given == nil ? known.counted : known.counted + 1
        entries[key] = Entry(given: given, counted: counted)
        return counted
    }

    /// Notes that a row was saved with a version. The next node tells which number the program has for it.
    mutating func didSave(_ key: RowKey, version: Int64) { entries[key] = Entry(given: nil, counted: version) }

    /// Notes that the program has no such object any more.
    mutating func forget(_ key: RowKey) { entries[key] = nil }
}

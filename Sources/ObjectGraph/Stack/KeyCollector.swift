import Storage

/// Takes the keys of rows, or of members of any owners, without their values.
final class KeyCollector: MemberConsumer {
    // Unchecked exclusivity: made and used inside one fetch.
    @exclusivity(unchecked) private(set) var keys: [RowKey] = []

    func beginMembers(of owner: Int64) {}

    func wantsValues(of key: RowKey) -> Bool {
        keys.append(key)
        return false
    }

    func take(_ row: Row, for key: RowKey) {}
}

extension [RowKey] {
    /// The keys by concrete entity, ascending.
    var byEntity: [(entity: Int, keys: [Int64])] {
        Dictionary(grouping: self, by: \.entityIndex).map { ($0, $1.map(\.key).sorted()) }.sorted { $0.entity < $1.entity }
    }
}

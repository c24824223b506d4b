import Storage

/// Takes the keys of rows, without their values.
final class KeyCollector: RowConsumer {
    // Unchecked exclusivity: made and used inside one fetch.
    @exclusivity(unchecked) private(set) var keys: [RowKey] = []

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

import DataModel
import Storage

/// Takes all rows that an engine finds.
final class RowCollector: RowConsumer {
    private(set) var rows: [(key: RowKey, row: Row)] = []
    private(set) var asked: [RowKey] = []
    private let wants: (RowKey) -> Bool

    init(wants: @escaping (RowKey) -> Bool = { _ in true }) { self.wants = wants }

    var keys: [Int64] { rows.map(\.key.key) }

    func wantsValues(of key: RowKey) -> Bool {
        asked.append(key)
        return wants(key)
    }

    func take(_ row: Row, for key: RowKey) { rows.append((key, row)) }
}

extension RowSource {
    func rows(_ request: RowRequest) throws -> [(key: RowKey, row: Row)] {
        let collector = RowCollector()
        try fetch(request, into: collector)
        return collector.rows
    }

    func keys(_ request: RowRequest) throws -> [Int64] { try rows(request).map(\.key.key) }

    func row(_ entity: EntityLayout, _ key: Int64) throws -> Row? {
        try rows(RowRequest(entity, selection: .keys([key]))).first?.row
    }

    func members(_ entity: EntityLayout, _ relationship: String, of owner: Int64, in layout: ModelLayout) throws -> [Int64] {
        guard let relationship = entity.relationship(named: relationship) else { return [] }
        return try keys(
            RowRequest(layout.entities[relationship.destination], selection: .members(of: relationship, owner: owner)))
    }
}

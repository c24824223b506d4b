import CSQLite
import DataModel
import Storage

extension SQLiteReader {
    package func fetchMembers(
        of relationship: RelationshipLayout, owners: [Int64], into consumer: some MemberConsumer
    ) throws {
        let store = try openStore(.reading)
        guard !owners.isEmpty, let fetch = try store.fetches.members(of: relationship) else { return }
        let statement = fetch.statement
        statement.bind(jsonArray(owners), at: 1)
        statement.isInUse = true
        defer {
            statement.reset()
            statement.isInUse = false
        }
        let ownerColumn = Int32(fetch.family.columns.count + 3)
        var last: Int64?
        while try statement.step(.reading) {
            guard let reader = fetch.family.reader(number: Int(statement.integer(1))) else { continue }
            let owner = statement.integer(ownerColumn)
            if owner != last {
                consumer.beginMembers(of: owner)
                last = owner
            }
            try handOver(reader, statement.handle, statement.connection, consumer)
        }
    }
}

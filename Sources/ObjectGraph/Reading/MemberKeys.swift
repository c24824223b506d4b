import Storage

/// Takes the keys of members, of any owner.
final class MemberKeys: MemberConsumer {
    private(set) var keys: [RowKey] = []

    func beginMembers(of owner: Int64) {}

    func wantsValues(of key: RowKey) -> Bool {
        keys.append(key)
        return false
    }

    func take(_ row: Row, for key: RowKey) {}
}

/// Takes the members of several owners' relationship, one owner's after the other.
package protocol MemberConsumer: RowConsumer {
    /// The rows that follow are members of this owner. Owners without members are not named.
    func beginMembers(of owner: Int64)
}

import DataModel

/// What a save changes in one object's to-many relationship, where the change is not already in the members' foreign
/// keys.
package struct MembershipChange {
    package let relationship: RelationshipLayout
    package let owner: Int64
    package let added: [Int64]
    package let removed: [Int64]
    /// All members in their new order, for ordered relationships.
    package let order: [Int64]?

    package init(relationship: RelationshipLayout, owner: Int64, added: [Int64], removed: [Int64], order: [Int64]?) {
        self.relationship = relationship
        self.owner = owner
        self.added = added
        self.removed = removed
        self.order = order
    }
}

/// The members of a to-many relationship of one row, all or some of them.
package struct RowMembers: Hashable, Sendable {
    package let owner: RowPath
    /// The id of the relationship.
    package let relationship: Int
    /// The index of its destination as declared.
    package let entity: Int
    /// The number by which paths name the members; no two in a query have the same.
    package let scope: Int
    package var filter: RowPredicate?

    package init(owner: RowPath, relationship: Int, entity: Int, scope: Int, filter: RowPredicate? = nil) {
        self.owner = owner
        self.relationship = relationship
        self.entity = entity
        self.scope = scope
        self.filter = filter
    }

    package var member: RowPath { RowPath(scope: scope, entity: entity) }
}

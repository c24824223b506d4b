/// A row that a query speaks of: one of a scope's rows, or what to-one relationships lead to from there.
package struct RowPath: Hashable, Sendable {
    package struct Step: Hashable, Sendable {
        /// The id of a to-one relationship.
        package let relationship: Int
        /// The index of its destination as declared.
        package let entity: Int
    }

    /// 0 for the rows that are asked for; the number of a `RowMembers` for its members.
    package let scope: Int
    /// The index of the entity of the scope's rows, as declared.
    package let start: Int
    package private(set) var steps: [Step] = []

    package init(scope: Int, entity: Int) {
        self.scope = scope
        start = entity
    }

    /// The index of the entity at the end, as declared: the rows may be of its subentities.
    package var entity: Int { steps.last?.entity ?? start }

    /// Whether there may be no such row: a relationship on the way may be nil.
    package var mayBeNil: Bool { !steps.isEmpty }

    package func appending(_ step: Step) -> RowPath {
        var result = self
        result.steps.append(step)
        return result
    }

    /// The path without its last step; nil for a scope's row itself.
    package var owner: RowPath? {
        guard !steps.isEmpty else { return nil }
        var result = self
        result.steps.removeLast()
        return result
    }
}

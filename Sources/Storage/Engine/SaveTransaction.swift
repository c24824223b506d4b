import DataModel

/// The open write transaction of one save. Nothing is visible to others before the engine commits it.
package protocol SaveTransaction {
    /// Takes `count` consecutive new keys of the family of `root` and returns the first. Keys of a save that succeeded
    /// are never handed out again.
    func reserveKeys(_ count: Int, root: EntityLayout) throws -> Int64

    /// Writes new rows; rows may name others that come later in the save. Uniqueness constraints are checked row by
    /// row, so what makes room for a value, a delete or an update, comes first. A row gets the version after its
    /// `expectedVersion`.
    func insert(_ changes: [RowChange], entity: EntityLayout) throws

    /// Writes the masked slots and the version after `expectedVersion`.
    /// - Returns: the keys whose row is gone or has another version. The caller then gives up the transaction or
    ///   resolves them.
    func update(_ changes: [RowChange], entity: EntityLayout) throws -> [Int64]

    /// Deletes rows, and their pairs in join tables.
    /// - Returns: the keys whose row is gone or has another version.
    func delete(_ changes: [RowChange], entity: EntityLayout) throws -> [Int64]

    /// Takes values out of rows that `update` writes next, so that none of them stands in the way of another one's
    /// unique values.
    func vacate(_ slots: [Int], keys: [Int64], entity: EntityLayout) throws

    /// Sets the author of the save, for stores that keep a history.
    func describe(author: String?, contextName: String?)

    /// Writes join rows, hidden foreign keys and orders. Comes after inserts and updates.
    func apply(_ changes: [MembershipChange]) throws

    /// See `Capabilities.swift`.
    var batches: (any BatchTransaction)? { get }
}

extension SaveTransaction {
    package func describe(author: String?, contextName: String?) {}

    /// For engines without uniqueness constraints.
    package func vacate(_ slots: [Int], keys: [Int64], entity: EntityLayout) throws {}
}

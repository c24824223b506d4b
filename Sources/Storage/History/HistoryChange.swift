/// What a transaction did to one object, as a store's history has it.
package struct HistoryChange {
    /// The numbers are Apple's.
    package enum Kind: Int {
        case insert = 0
        case update, delete
    }

    package let number: Int64
    package let transaction: Int64
    package let kind: Kind
    package let entity: EntityLayout
    package let key: Int64
    /// The names of the properties that an update changed; nil for other kinds, and if the history does not say.
    package let updatedProperties: [String]?
    /// The values that a deleted object leaves behind, in the slots of attributes that are preserved. All other slots are nil.
    package let tombstone: Row?

    package init(
        number: Int64, transaction: Int64, kind: Kind, entity: EntityLayout, key: Int64, updatedProperties: [String]?,
        tombstone: Row?
    ) {
        self.number = number
        self.transaction = transaction
        self.kind = kind
        self.entity = entity
        self.key = key
        self.updatedProperties = updatedProperties
        self.tombstone = tombstone
    }
}

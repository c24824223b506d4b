import DataModel
import Storage

/// Which tables and columns keep what a model describes, for the entity numbers of one file.
struct StoreMapping {
    struct Column {
        let name: SQLName
        let sqlType: String
    }

    /// The table of a root entity and all its descendants.
    struct Table {
        let name: SQLName
        let root: Int
        /// In the order of the CREATE statement, behind Z_PK, Z_ENT and Z_OPT.
        var columns: [Column] = []
    }

    /// A table of pairs.
    struct Join {
        /// The index of the entity that declares the relationship which names the table, and of that which declares the inverse.
        let owner: Int
        let inverseOwner: Int
        let relationship: Int
        let inverse: Int
        var table: SQLName
        var first: SQLName
        var second: SQLName
        var firstOrder: SQLName?
        var secondOrder: SQLName?
    }

    let layout: ModelLayout
    /// Entity numbers by entity index.
    let numbers: [Int]
    /// Entity indices by entity number; -1 for numbers without entity.
    let indices: [Int32]
    var tables: [Table]
    var joins: [Join]
    /// By entity index.
    var entities: [StoredEntity]
    /// By relationship id; nil for transient ones.
    var places: [RelationshipPlace?]
    /// Columns of to-many relationships without inverse: the table, and the columns for the index statements.
    var hiddenKeys: [ForeignKey]
    /// Columns by the index of the declaring entity and the property's name or, for an element of a composite, its path.
    let declaredColumns: [[String: SQLName]]

    /// Entity indices in the order of their numbers.
    var order: [Int] { numbers.indices.sorted { numbers[$0] < numbers[$1] } }

    /// A root entity and all its descendants, in the order of their numbers.
    func family(of root: Int) -> [Int] { layout.family(of: root).sorted { numbers[$0] < numbers[$1] } }

    func table(of entity: Int) -> SQLName { entities[entity].table }

    /// The column of an attribute or to-one relationship, own or inherited.
    func column(of property: String, in entity: Int) -> SQLName? {
        var next: Int? = entity
        while let index = next {
            if let column = declaredColumns[index][property] { return column }
            next = layout.entities[index].parent
        }
        return nil
    }

    /// The numbers of a new store: depth first, from 1.
    static func freshNumbers(_ layout: ModelLayout) -> [Int] { layout.entities.indices.map { $0 + 1 } }
}

import DataModel
import Storage

extension StoreMapping {
    /// What SQLite allows unless it was built otherwise; statements with more are refused with their whole text.
    private static let greatestColumnCount = 2000
    /// Z_PK, Z_ENT and Z_OPT.
    private static let systemColumnCount = 3

    /// - Throws: `MappingBuilder.Problem` if a table would have more columns than SQLite allows.
    func requireColumnLimit() throws {
        for table in tables where table.columns.count + Self.systemColumnCount > Self.greatestColumnCount {
            let root = layout.entities[table.root]
            throw MappingBuilder.Problem(
                text: "“\(root.name)”\(root.hasSubentities ? " and its subentities need" : " needs") "
                    + "\(table.columns.count + Self.systemColumnCount) columns, and SQLite allows a table no more than "
                    + "\(Self.greatestColumnCount): move properties to other entities")
        }
    }
}

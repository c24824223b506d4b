import CSQLite
import DataModel
import Foundation
import Storage

/// Finds the constraint behind SQLite's message "UNIQUE constraint failed: ZCAR.ZPLATE, ZCAR.ZSTATE".
struct UniquenessFailure {
    let mapping: StoreMapping
    let message: String

    /// SQLITE_CONSTRAINT_UNIQUE, a macro that Swift does not see.
    static let resultCode: Int32 = SQLITE_CONSTRAINT | (8 << 8)

    /// - Parameter row: The key of the row that could not be written; nil where several were to be written at once.
    func error(row: Int64?, entity: EntityLayout, url: URL) -> NSError {
        let columns = (message.split(separator: ":").last ?? "").split(separator: ",").map { part in
            String(part.split(separator: ".").last ?? "").trimmingCharacters(in: .whitespaces)
        }
        let (declaring, properties) = constraint(columns, entity)
        let text =
            "“\(url.lastPathComponent)” can't be written: two objects of “\(declaring)” would have the same values of the uniqueness "
            + "constraint (\(properties.joined(separator: ", ")))"
        return StoreFailure.error(
            NSManagedObjectConstraintMergeError, text, url: url, resultCode: SQLITE_CONSTRAINT,
            userInfo: [
                ConstraintViolation.entityKey: declaring, ConstraintViolation.propertiesKey: properties,
                ConstraintViolation.rowEntityKey: entity.index,
            ].merging(row.map { [ConstraintViolation.rowKeyKey: $0] } ?? [:]) { first, _ in first })
    }

    private func constraint(_ columns: [String], _ entity: EntityLayout) -> (entity: String, properties: [String]) {
        let family = mapping.layout.family(of: entity.root)
        // The entity's own constraints and its ancestors' first: an index covers the whole table.
        for index in [entity.index] + family {
            let candidate = mapping.layout.entities[index]
            for properties in candidate.description.uniquenessConstraintNames
            where properties.map({ mapping.column(of: $0, in: index)?.text ?? "" }) == columns {
                return (candidate.name, properties)
            }
        }
        return (entity.name, columns)
    }
}

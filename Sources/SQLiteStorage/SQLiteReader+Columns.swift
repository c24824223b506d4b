import CSQLite
import DataModel
import Foundation
import Storage

extension SQLiteReader {
    package func fetchColumns(_ request: ColumnRequest, _ take: ([RowValue?]) -> Void) throws {
        let store = try openStore(.reading)
        let family = store.fetches.family(request.rows.entity.index, includesSubentities: request.rows.includesSubentities)
        let sql = ColumnSQL(request, mapping: store.mapping, family: family).text
        let statement = try store.connection.prepare(sql, .reading, isKept: false)
        var parameter: Int32 = 1
        for constant in request.rows.constants {
            statement.bind(constant, at: parameter, numbers: store.mapping.numbers)
            parameter += 1
        }
        if request.limit != 0 || request.offset != 0 {
            statement.bind(request.limit == 0 ? -1 : request.limit, at: parameter)
            statement.bind(request.offset, at: parameter + 1)
        }
        let attributes = request.columns.map { $0.attribute(store.mapping) }
        let isEntity = request.columns.map { if case .entity = $0 { true } else { false } }
        let indices = store.mapping.indices
        while try statement.step(.reading) {
            for (index, attribute) in attributes.enumerated() {
                guard let attribute, let value = sqlite3_column_value(statement.handle, Int32(index)),
                    sqlite3_value_type(value) != SQLITE_NULL, let reason = attribute.column.encoding.problem(value)
                else { continue }
                throw StoreFailure.damagedValue(attribute.entity, attribute.column.slot, reason, store.connection.url)
            }
            take(
                isEntity.enumerated().map { index, isEntity in
                    let value = statement.value(Int32(index))
                    guard isEntity, case .integer(let number)? = value else { return value }
                    let entity = indices.indices.contains(Int(number)) ? indices[Int(number)] : -1
                    return entity < 0 ? nil : .entity(Int(entity))
                })
        }
    }
}

extension RowExpression {
    /// The attribute of which the expression is a value, with its column.
    fileprivate func attribute(_ mapping: StoreMapping) -> (entity: EntityLayout, column: StoredColumn)? {
        switch self {
        case .attribute(let path, let slot):
            mapping.entities[path.entity].column(slot: slot).map { (mapping.entities[path.entity].layout, $0) }
        case .rows(.minimum, let value, _), .rows(.maximum, let value, _): value.attribute(mapping)
        default: nil
        }
    }
}

extension Statement {
    /// A result column as it is stored.
    fileprivate func value(_ column: Int32) -> RowValue? {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT: text(column).map(RowValue.text)
        case SQLITE_BLOB: .bytes(Data(blob(column)))
        default: nil
        }
    }
}

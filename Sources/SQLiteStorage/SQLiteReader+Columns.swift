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
        let isEntity = request.columns.map { if case .entity = $0 { true } else { false } }
        let indices = store.mapping.indices
        while try statement.step(.reading) {
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

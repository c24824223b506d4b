import CSQLite
import DataModel
import Foundation
import Storage

extension SQLiteReader {
    package func fetchColumns(_ request: ColumnRequest, _ take: ([RowValue?]) -> Void) throws {
        let store = try openStore(.reading)
        if let results = try resultsWithBuiltInSums(request, store) { return results.forEach(take) }
        try run(request, store, take)
    }

    /// SQLite's own `SUM` is faster than the function that goes on where 64 bits end. It fails there, and is a
    /// floating-point number if a value is none that the attribute can have.
    ///
    /// - Returns: nil if the function is needed, or nothing is summed up.
    private func resultsWithBuiltInSums(_ request: ColumnRequest, _ store: OpenStore) throws -> [[RowValue?]]? {
        var quick = request
        var sums: [Int] = []
        for (index, column) in request.columns.enumerated() {
            guard case .rows(.largeSum, let value, let isDistinct) = column, isWhole(value, store) else { continue }
            quick.columns[index] = .rows(.sum, value, isDistinct: isDistinct)
            sums.append(index)
        }
        guard !sums.isEmpty else { return nil }
        var results: [[RowValue?]] = []
        do {
            try run(quick, store) { results.append($0) }
        } catch  where sqlite3_errcode(store.connection.handle) == SQLITE_ERROR {
            return nil
        }
        let isExact = results.allSatisfy { result in
            sums.allSatisfy { if case .integer? = result[$0] { true } else { result[$0] == nil } }
        }
        return isExact ? results : nil
    }

    /// Whether an expression is a column of whole numbers, for which the file makes numbers of texts.
    private func isWhole(_ value: RowExpression, _ store: OpenStore) -> Bool {
        guard case .attribute(let path, let slot) = value,
            let column = store.mapping.entities[path.entity].column(slot: slot), column.encoding == .integer
        else { return false }
        var type: UnsafePointer<CChar>?
        let result = sqlite3_table_column_metadata(
            store.connection.handle, nil, store.mapping.table(of: path.entity).text, column.name.text, &type, nil, nil, nil, nil)
        return result == SQLITE_OK && type.map { String(cString: $0).uppercased().contains("INT") } ?? false
    }

    private func run(_ request: ColumnRequest, _ store: OpenStore, _ take: ([RowValue?]) -> Void) throws {
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

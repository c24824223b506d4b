import DataModel
import Foundation

/// The highest keys that were handed out, as a file has them: in Z_PRIMARYKEY and in the rows themselves.
///
/// Other programs, or damage, may have left any value there. New keys are counted from whole numbers only, and never beyond 64
/// bits.
struct HighestKeys {
    let writes: WriteCache
    let url: URL

    /// - Parameters:
    ///   - number: The entity's number in the store.
    ///   - owner: What the keys are of, for messages.
    func highest(of number: Int, in table: SQLName, owner: String) throws -> Int64 {
        let statement = try writes.statement(
            "SELECT typeof(Z_MAX), Z_MAX, max(ifnull(Z_MAX, 0), ifnull((SELECT max(Z_PK) FROM \(table)), 0)) "
                + "FROM (SELECT (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)) Z_MAX)")
        defer { statement.reset() }
        guard try statement.step(.saving) else { return 0 }
        guard let type = statement.text(0), type == "integer" || type == "null" else {
            throw StoreFailure.damaged(
                url,
                "the highest key of \(owner) (Z_MAX in Z_PRIMARYKEY) is “\(statement.text(1) ?? "")”, which is not a whole number"
            )
        }
        return statement.integer(2)
    }

    /// The highest key when more have been handed out.
    func raise(_ key: Int64, by count: Int, owner: String) throws -> Int64 {
        let (raised, overflows) = key.addingReportingOverflow(Int64(count))
        guard !overflows else {
            throw StoreFailure.damaged(url, "the highest key of \(owner) is \(key), so no key is left for new rows")
        }
        return raised
    }
}

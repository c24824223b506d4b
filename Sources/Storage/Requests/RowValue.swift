package import Foundation

/// A constant of a query in the form in which stores keep values.
package enum RowValue: Hashable, Sendable {
    /// Also booleans, and keys of rows; no row has the key 0.
    case integer(Int64)
    /// Also dates, as seconds since the reference date, and decimals.
    case real(Double)
    /// Also URLs.
    case text(String)
    /// Also the sixteen bytes of UUIDs.
    case bytes(Data)
    /// The index of an entity in the model.
    case entity(Int)
    /// The values for `RowPredicate.oneOf`, none of them a list.
    case list([RowValue])
}

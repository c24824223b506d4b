package import Foundation

/// Some of the transactions of a store's history.
package enum HistoryRange {
    case all
    /// Those with greater numbers.
    case afterNumber(Int64)
    /// Those of a later time.
    case afterDate(Date)
    /// Those with smaller numbers.
    case beforeNumber(Int64)
    /// Those of an earlier time.
    case beforeDate(Date)
}

import DataModel
import Foundation

/// The part of a fetch's results that is needed: after the first `offset` results, `limit` of them, or all if it is 0.
package struct FetchWindow {
    package let limit: Int
    package let offset: Int

    /// - Parameter name: the entity's name, for the message.
    /// - Throws: 134060 for a negative limit or offset.
    package init(limit: Int, offset: Int, of name: String) throws {
        guard limit >= 0, offset >= 0 else {
            throw NSError.coreData(NSCoreDataError, "fetchLimit and fetchOffset of a request for “\(name)” must not be negative")
        }
        self.limit = limit
        self.offset = offset
    }

    /// The window of the first results; of all for 0.
    init(limit: Int) {
        self.limit = limit
        offset = 0
    }

    package func part<Element>(of results: [Element]) -> [Element] {
        guard limit > 0 || offset > 0 else { return results }
        let rest = results.dropFirst(offset)
        return Array(limit == 0 ? rest : rest.prefix(limit))
    }
}

import Foundation
import ObjectGraph
package import Storage
import Testing

/// The kinds of store that a test runs on.
package enum StackKind: String, CaseIterable, CustomTestStringConvertible, Codable, Sendable {
    case inMemory
    case sqlite
    /// An SQLite store whose engine says that it can evaluate no part of a query.
    case evaluatingNothing
    /// An SQLite store whose engine says of about half of all parts that it can evaluate them.
    case evaluatingHalf

    /// The kinds that programs have.
    package static let allCases: [StackKind] = [.inMemory, .sqlite]
    /// The kinds with which every query has the same results.
    package static let queried: [StackKind] = [.inMemory, .sqlite, .evaluatingNothing, .evaluatingHalf]

    package var testDescription: String { rawValue }

    package var isFile: Bool { self != .inMemory }

    /// What stands in for the store's engine.
    package var engine: ((any StorageEngine) -> any StorageEngine)? {
        switch self {
        case .inMemory, .sqlite: nil
        case .evaluatingNothing: { PartialEngine($0, .nothing) }
        case .evaluatingHalf: { PartialEngine($0, .half) }
        }
    }
}

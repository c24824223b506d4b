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
    /// Files that are read and written as a whole.
    case xml, binary

    /// The kinds that most tests run on.
    package static let allCases: [StackKind] = [.inMemory, .sqlite]
    /// The kinds with which every query has the same results.
    package static let queried: [StackKind] = [.inMemory, .sqlite, .evaluatingNothing, .evaluatingHalf, .xml]
    package static let atomicFiles: [StackKind] = [.xml, .binary]

    package var testDescription: String { rawValue }

    package var isFile: Bool { self != .inMemory }

    package var storeType: String {
        switch self {
        case .inMemory: NSInMemoryStoreType
        case .sqlite, .evaluatingNothing, .evaluatingHalf: NSSQLiteStoreType
        case .xml: NSXMLStoreType
        case .binary: NSBinaryStoreType
        }
    }

    /// What stands in for the store's engine.
    package var engine: ((any StorageEngine) -> any StorageEngine)? {
        switch self {
        case .inMemory, .sqlite, .xml, .binary: nil
        case .evaluatingNothing: { PartialEngine($0, .nothing) }
        case .evaluatingHalf: { PartialEngine($0, .half) }
        }
    }
}

import Foundation
import ObjectGraph
import Testing

/// The kinds of store that a test runs on.
package enum StoreKind: String, CaseIterable, CustomTestStringConvertible, Codable, Sendable {
    case inMemory
    case sqlite

    package var testDescription: String { rawValue }
}

import Foundation
import ObjectGraph
import Testing

/// The kinds of store that a test runs on.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible, Codable, Sendable {
    case inMemory
    case sqlite

    var testDescription: String { rawValue }
}

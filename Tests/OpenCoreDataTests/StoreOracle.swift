import Foundation
import TestSupport
import Testing

/// The independent reader and checker of store files, `store_oracle.py`.
enum StoreOracle {
    private static func run(_ arguments: [String]) throws -> ProcessOutcome {
        try runProcess("python3", [Fixtures.tools.appendingPathComponent("store_oracle.py").path] + arguments)
    }

    /// Expects a command to succeed, and shows what it prints if it doesn't.
    private static func expectSuccess(_ arguments: [String], _ location: SourceLocation) throws {
        let outcome = try run(arguments)
        #expect(outcome.status == 0, "store_oracle.py \(arguments[0]):\n\(outcome.text)\(outcome.errorText)", sourceLocation: location)
    }

    static func verify(_ store: URL, _ model: [String] = [], at location: SourceLocation = #_sourceLocation) throws {
        try expectSuccess(["verify", store.path] + model, location)
    }

    static func schema(_ store: URL, _ model: [String] = [], at location: SourceLocation = #_sourceLocation) throws {
        try expectSuccess(["schema", store.path] + model, location)
    }

    static func expectRoundtrip(
        _ before: URL, _ after: URL, saves: Int, _ model: [String] = [], at location: SourceLocation = #_sourceLocation
    ) throws {
        try expectSuccess(["expect-roundtrip", before.path, after.path, "--saves", "\(saves)"] + model, location)
    }

    static func dump(_ store: URL, _ model: [String] = []) throws -> StoreDump {
        let outcome = try run(["dump", store.path] + model)
        guard outcome.status == 0 else {
            throw CocoaError(.fileReadCorruptFile, userInfo: [NSLocalizedDescriptionKey: outcome.errorText])
        }
        return try StoreDump(outcome.standardOutput)
    }
}

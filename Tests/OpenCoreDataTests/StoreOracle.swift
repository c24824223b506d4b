import Foundation
import TestSupport
import Testing

/// The independent reader and checker of store files, `store_oracle.py`: several of its commands in one process, because starting one takes longest.
struct StoreOracle {
    private var commands: [[String]] = []
    private let model: [String]

    /// - Parameter model: The arguments for a store without cached model: `["--model", path]`.
    init(_ model: [String] = []) {
        self.model = model
    }

    mutating func verify(_ store: URL) { commands.append(["verify", store.path] + model) }
    mutating func schema(_ store: URL) { commands.append(["schema", store.path] + model) }
    mutating func expectRoundtrip(_ before: URL, _ after: URL, saves: Int) {
        commands.append(["expect-roundtrip", before.path, after.path, "--saves", "\(saves)"] + model)
    }

    private struct Outcome: Decodable {
        let status: Int
        let output: String
    }

    private static let program = """
        import contextlib, io, json, sys
        sys.path.insert(0, sys.argv[1])
        import store_oracle
        outcomes = []
        for command in sys.argv[2:]:
            with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(output):
                status = store_oracle.main(json.loads(command))
            outcomes.append({"status": status, "output": output.getvalue()})
        json.dump(outcomes, sys.stdout)
        """

    /// Python can't keep its compiled modules beside the fixtures.
    private static let environment = [
        "PYTHONPYCACHEPREFIX": FileManager.default.temporaryDirectory.appendingPathComponent("OpenCoreData-pycache").path,
        "PYTHONDONTWRITEBYTECODE": "",
    ]

    /// Runs the commands, shows what those print that fail, and reads a store at last.
    func dump(_ store: URL, at location: SourceLocation = #_sourceLocation) throws -> StoreDump {
        try #require(dumps([store], at: location).first, sourceLocation: location)
    }

    /// Runs the commands, shows what those print that fail, and reads several stores at last.
    func dumps(_ stores: [URL], at location: SourceLocation = #_sourceLocation) throws -> [StoreDump] {
        let all = commands + stores.map { ["dump", $0.path] + model }
        let arguments = try all.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        let outcome = try runProcess(
            "python3", ["-c", Self.program, Fixtures.tools.path] + arguments, environment: Self.environment)
        try #require(outcome.status == 0, "\(outcome.errorText)", sourceLocation: location)
        let outcomes = try JSONDecoder().decode([Outcome].self, from: outcome.standardOutput)
        for (command, outcome) in zip(all, outcomes) where outcome.status != 0 {
            Issue.record("store_oracle.py \(command[0]):\n\(outcome.output)", sourceLocation: location)
        }
        try #require(outcomes.count == all.count, sourceLocation: location)
        return try outcomes.suffix(stores.count).map { try StoreDump(Data($0.output.utf8)) }
    }
}

import Foundation
import TestSupport

/// The independent checker of stores.
enum Oracle {
    /// What it prints; begins with "exit" and the status where that is not 0.
    static func run(_ command: String, _ arguments: [String]) throws -> String {
        let tool = Fixtures.tools.appendingPathComponent("store_oracle.py").path
        let outcome = try runProcess("python3", [tool, command] + arguments, environment: ["PYTHONDONTWRITEBYTECODE": "1"])
        return outcome.status == 0 ? outcome.text : "exit \(outcome.status): \(outcome.text)\(outcome.errorText)"
    }
}

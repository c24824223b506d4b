import Foundation

/// How a command ends.
package enum ToolStatus: Int32, Sendable {
    case success = 0
    /// Something could not be read, written or done.
    case failure = 1
    /// The command line is wrong.
    case usage = 2
    /// The command did its work and found problems or differences.
    case findings = 3

    package static let explanation = "0 done, 1 failed, 2 wrong command line, 3 done and found problems or differences"
}

/// Why a command can't do its work, and what to do about it.
package struct ToolError: Error {
    package let message: String
    package let hint: String?
    package let status: ToolStatus

    package init(_ message: String, hint: String? = nil, status: ToolStatus = .failure) {
        self.message = message
        self.hint = hint
        self.status = status
    }

    package static func usage(_ message: String, hint: String? = nil) -> ToolError {
        ToolError(message, hint: hint, status: .usage)
    }

    /// Any error as one of these.
    init(_ error: any Error) {
        self = (error as? ToolError) ?? ToolError((error as NSError).localizedDescription)
    }
}

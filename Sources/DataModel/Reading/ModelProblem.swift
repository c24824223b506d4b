import Foundation

/// Something wrong with a model file, and where.
struct ModelProblem: Error, Equatable {
    var text: String
    var line: Int?
    var column: Int?

    init(_ text: String, line: Int? = nil, column: Int? = nil) {
        self.text = text
        self.line = line
        self.column = column
    }

    /// "line 3, column 9: …"
    var message: String {
        guard let line else { return text }
        return column.map { "line \(line), column \($0): \(text)" } ?? "line \(line): \(text)"
    }

    /// One error for all problems of a file.
    static func error(_ problems: [ModelProblem], in url: URL, code: Int) -> NSError {
        let messages = problems.map(\.message)
        let intro = "The data model “\(url.path)” can't be read: "
        let text =
            messages.count == 1 ? intro + messages[0] : intro + "\(messages.count) problems:\n" + messages.joined(separator: "\n")
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: text, NSFilePathErrorKey: url.path, NSURLErrorKey: url,
        ]
        if problems.count > 1 {
            userInfo[NSDetailedErrorsKey] = problems.map { error([$0], in: url, code: code) }
        }
        return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: userInfo)
    }
}

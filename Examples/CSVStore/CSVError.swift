import Foundation

/// What is wrong with a CSV file, and where.
public struct CSVError: LocalizedError, CustomStringConvertible, Equatable, Sendable {
    /// The file's name.
    public let file: String
    /// The line in which the faulty row begins, counted from 1.
    public let line: Int
    /// What is wrong.
    public let reason: String

    /// For example “Movie.csv, line 3: …”.
    public var description: String { "\(file), line \(line): \(reason)" }
    /// The same as `description`.
    public var errorDescription: String? { description }
}

import Foundation

/// The options of the command line.
package struct Options {
    /// What is not an option, in order.
    package var words: [String] = []
    package private(set) var rounds = 5
    package private(set) var repetitions = 3
    package private(set) var warmUp = true
    package private(set) var json: String?
    package private(set) var thresholds: String?
    package private(set) var writes = false
    package private(set) var stores: String?
    package private(set) var size = DatasetSize.standard

    package init(_ arguments: [String]) throws {
        var rest = arguments[...]
        func value(_ option: String) throws -> String {
            guard let value = rest.popFirst() else { throw BenchmarkError("\(option) needs a value") }
            return value
        }
        func number(_ option: String) throws -> Int {
            guard let number = Int(try value(option)), number > 0 else {
                throw BenchmarkError("\(option) needs a number above 0")
            }
            return number
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--rounds": rounds = try number(argument)
            case "--repetitions": repetitions = try number(argument)
            case "--movies": size = DatasetSize(movies: try number(argument))
            case "--json": json = try value(argument)
            case "--thresholds": thresholds = try value(argument)
            case "--write": writes = true
            case "--stores": stores = try value(argument)
            case "--no-warm-up": warmUp = false
            case _ where argument.hasPrefix("-"): throw BenchmarkError("no option \(argument)")
            default: words.append(argument)
            }
        }
    }
}

import Foundation

/// Attacks the library with stores, models, predicates and sort keys that nobody made in good faith.
///
/// `attack run [count] [seed]` has child processes do so many attacks under limits of time and memory, prints what came of them, and ends with status 1 if any stopped
/// the program, took too long, lost what nobody had touched, or changed a file outside of the store's folder. Every attack is made again by its seed and number:
/// `attack case <seed> <number>`.
@main
enum Attack {
    static func main() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let command = arguments.isEmpty ? "run" : arguments.removeFirst()
        switch command {
        case "run":
            let count = arguments.first.flatMap { Int($0) } ?? 2000
            let seed = arguments.dropFirst().first.flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
            var driver = try AttackDriver(seed: seed, count: count)
            exit(try driver.run() ? 0 : 1)
        case "worker" where arguments.count == 4:
            guard let seed = UInt64(arguments[1]), let first = Int(arguments[2]), let end = Int(arguments[3]) else { break }
            try AttackWorker(folder: URL(fileURLWithPath: arguments[0]), seed: seed).run(first..<end)
            return
        case "case" where arguments.count == 2:
            guard let seed = UInt64(arguments[0]), let number = Int(arguments[1]) else { break }
            let folder = try AttackFolder.make()
            print("in \(folder.url.path)")
            try AttackWorker(folder: folder.url, seed: seed).run(number..<(number + 1))
            return
        default: break
        }
        print("usage: attack run [count] [seed] | attack case <seed> <number>")
        exit(2)
    }
}

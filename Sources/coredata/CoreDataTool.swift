import Foundation
import ModelTools

/// `coredata`: looks into Core Data stores and models.
@main
struct CoreDataTool {
    @MainActor static func main() {
        // A reader that has seen enough, such as `head`, closes its end: writing then fails, and the program ends quietly.
        signal(SIGPIPE, SIG_IGN)
        exit(Tool.run(Array(CommandLine.arguments.dropFirst()), Terminal()).rawValue)
    }
}

import Foundation
import SourcePorting

/// `coredata-port`: edits sources that were written for Apple's Core Data, or reports what they need.
@main
struct CoreDataPort {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.contains("--help") || arguments.contains("-h") {
            Output.line(PortOptions.usage)
            return
        }
        let options: PortOptions
        do {
            options = try PortOptions(arguments)
        } catch {
            Output.complaint("coredata-port: \(error)\n\n\(PortOptions.usage)")
            exit(2)
        }
        var run = PortRun(options)
        run.start()
        exit(run.hasFailed ? 1 : 0)
    }
}

/// The command's task, read from its arguments.
struct PortOptions {
    enum Task {
        case edit, showDifferences, check
    }

    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    var task = Task.edit
    var models: [String] = []
    var paths: [String] = []

    static let usage = """
        usage: coredata-port [--dry-run | --check] [--model MODEL]… PATH…

        Edits Swift sources that were written for Apple's Core Data, so that they build with OpenCoreData on Linux:
        @objc, #keyPath, @NSManaged, generated accessors and init(entity:insertInto:). A PATH is a file, or a folder
        whose Swift files are all taken. What can't be done is told with file, line and reason.

          --dry-run      show the changes as a diff, change nothing
          --check        report what the sources need, change nothing
          --model MODEL  an .xcdatamodeld or .xcdatamodel that the classes are compared with
          --help         show this text
        """

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        var tasks: [Task] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--dry-run": tasks.append(.showDifferences)
            case "--check": tasks.append(.check)
            case "--model":
                guard let model = rest.popFirst() else { throw UsageError(description: "--model needs the path of a model") }
                models.append(model)
            case "--":
                paths += rest
                rest = []
            case let option where option.hasPrefix("-"): throw UsageError(description: "there is no option \(option)")
            default: paths.append(argument)
            }
        }
        guard tasks.count <= 1 else { throw UsageError(description: "give one of --dry-run and --check") }
        guard !paths.isEmpty else { throw UsageError(description: "there is no path") }
        task = tasks.first ?? .edit
    }
}

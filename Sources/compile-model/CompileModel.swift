import Foundation

#if !os(macOS)
    import DataModel
#endif

/// Compiles a model: `compile-model Cinema.xcdatamodeld Cinema.momd`, or `… Cinema.xcdatamodel Cinema.mom`. The plugin
/// `CoreDataModels` runs it.
@main
struct CompileModel {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { fail("usage: compile-model MODEL COMPILED") }
        let model = URL(fileURLWithPath: arguments[1])
        #if os(macOS)
            fail("\(model.path): error: Xcode compiles models on macOS")
        #else
            do {
                let warnings = try NSManagedObjectModel.compileModel(at: model, to: URL(fileURLWithPath: arguments[2]))
                for warning in warnings { say(warning) }
            } catch {
                fail("\(model.path): error: \(error.localizedDescription)")
            }
        #endif
    }

    private static func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

    private static func fail(_ text: String) -> Never {
        say(text)
        exit(1)
    }
}

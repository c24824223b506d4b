import Foundation
import SourcePorting

/// Writes the copy of one source that is compiled in its place: `port-source Movie.swift Movie-ported.swift`. The
/// plugin `PortedCoreDataSources` runs it.
@main
struct PortSource {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { fail("usage: port-source SOURCE COPY") }
        let (source, copy) = (arguments[1], arguments[2])
        let text: String
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: source))
            guard let decoded = String(validating: data, as: UTF8.self) else {
                fail("\(source):1:1: error: the source is not UTF-8 text")
            }
            text = decoded
        } catch {
            fail("\(source): error: the source can't be read: \(error.localizedDescription)")
        }
        let ported = SourcePorter.port(text, style: .keepsLines)
        // The compiler reports missing features itself.
        for message in ported.messages where message.severity != .missing { say(message.line(in: source)) }
        if ported.messages.contains(where: { $0.severity == .error }) { exit(1) }
        do {
            let url = URL(fileURLWithPath: copy)
            try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(ported.textAsCopy(of: source).utf8).write(to: url, options: .atomic)
        } catch {
            fail("\(copy): error: the copy can't be written: \(error.localizedDescription)")
        }
    }

    private static func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

    private static func fail(_ text: String) -> Never {
        say(text)
        exit(1)
    }
}

import Foundation
import SourcePorting

/// One run of the command.
struct PortRun {
    let options: PortOptions
    /// Whether something could not be read, written or ported.
    private(set) var hasFailed = false
    private var files: [SourceFile] = []
    /// The messages by path.
    private var messages: [String: [PortingMessage]] = [:]

    init(_ options: PortOptions) { self.options = options }

    mutating func start() {
        do {
            for path in try SourceFile.paths(in: options.paths) { read(path) }
        } catch {
            fail("coredata-port: \(error)")
        }
        compareWithModels()
        for file in files {
            let all = messages[file.path, default: []].sorted { ($0.line, $0.column) < ($1.line, $1.column) }
            if all.contains(where: { $0.severity == .error }) { hasFailed = true }
            // The report counts missing features itself.
            for message in all where options.task != .check || message.severity != .missing {
                Output.complaint(message.line(in: file.path))
            }
        }
        switch options.task {
        case .check: Output.line(PortReport(files: files, messages: messages).text)
        case .showDifferences:
            for file in files {
                guard let difference = UnifiedDiff.text(from: file.text, to: file.ported.text, path: file.path) else { continue }
                Output.line(difference)
            }
        case .edit: edit()
        }
    }

    private mutating func fail(_ text: String) {
        hasFailed = true
        Output.complaint(text)
    }

    private mutating func read(_ path: String) {
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            guard let text = String(validating: data, as: UTF8.self) else {
                return fail("\(path):1:1: error: the source is not UTF-8 text")
            }
            let ported = SourcePorter.port(text, style: .dropsEmptiedLines)
            files.append(SourceFile(path: path, text: text, ported: ported))
            messages[path] = ported.messages
        } catch {
            fail("\(path): error: the source can't be read: \(error.localizedDescription)")
        }
    }

    private mutating func edit() {
        var changed = 0
        for file in files where file.ported.text != file.text {
            do {
                try file.writePorted()
                changed += 1
                Output.line("\(file.path): \(PortReport.changes(file.ported.counts.values.reduce(0, +)))")
            } catch {
                fail("\(file.path): error: the source can't be written: \(error.localizedDescription)")
            }
        }
        Output.line("\(changed) of \(PortReport.files(files.count)) changed")
    }

    private mutating func compareWithModels() {
        let sources = SourceClasses(files)
        for (path, message) in sources.strayExtensions() { messages[path, default: []].append(message) }
        for path in options.models {
            do {
                let comparison = try ModelComparison(modelAt: path, sources)
                for (path, message) in comparison.messages { messages[path, default: []].append(message) }
                for line in comparison.modelMessages { Output.complaint("\(path): warning: \(line)") }
            } catch {
                fail("\(path): error: \(error.localizedDescription)")
            }
        }
    }
}

import DataModel
import Foundation
import ModelTools
import TestSupport
import Testing

@Suite("Commands on stores and models that Apple's tools wrote", .enabled(if: Fixtures.isAvailable))
@MainActor struct FixtureCommandTests {
    @Test("Every reading command runs on every store", arguments: StoreFixture.all)
    func stores(_ fixture: StoreFixture) throws {
        let folder = try TemporaryFolder()
        let store = try folder.copyStore(fixture.store).path
        var model: [String] = []
        if fixture.cachedModel == nil {
            #expect(Recorder.run("info", store).output.remarkText.contains("--model"))
            guard let source = fixture.sourceModel else { return }
            model = ["--model", source.path]
        }
        func run(_ arguments: [String], _ expected: Set<ToolStatus> = [.success]) -> Recorder {
            let output = Recorder()
            let status = Tool.run(arguments + model, output)
            #expect(expected.contains(status), "\(arguments): \(output.remarks.prefix(5))")
            return output
        }
        _ = run(["info", store])
        let info = try JSONReader.read(run(["info", store, "--json"]).text)
        guard case .object(let members) = info, case .array(let entities)? = members["entities"] else {
            Issue.record("info has no entities")
            return
        }
        let dump = try fixture.readDump()["entities"] as? [String: Any] ?? [:]
        for case .object(let entity) in entities {
            guard case .string(let name)? = entity["name"] else { continue }
            if case .integer(let count)? = entity["count"] {
                #expect(Int(count) == ((dump[name] as? [String: Any])?["count"] as? Int ?? 0), "\(name)")
            }
            _ = run(["show", store, name, "--limit", "20"])
            let shown = try JSONReader.read(run(["show", store, name, "--limit", "2", "--json"]).text)
            if case .array(let rows) = shown, case .object(let row)? = rows.first, case .string(let id)? = row["$id"] {
                _ = run(["object", store, id])
                _ = run(["object", store, id, "--json"])
            }
            _ = run(["query", store, name, "--explain"])
        }
        _ = run(["doctor", store], [.success, .findings])
        let json = folder.file("a.json").path
        _ = run(["export", store, "--output", json])
        _ = run(["export", store, "--to", "csv", "--output", folder.file("csv").path])
        let copy = folder.file("Copy.sqlite").path
        #expect(Recorder.run("copy", store, copy).status == .success)
        #expect(run(["export", copy]).text == run(["export", store]).text)
    }

    private static let models: [URL] =
        Fixtures.isAvailable
        ? Fixtures.files(below: Fixtures.models) { $0.hasSuffix(".xcdatamodel") || $0.hasSuffix(".mom") } : []

    @Test("Every model has an outline, diagrams and classes, or says why it can't be read")
    func allModels() throws {
        var readable = 0
        for url in Self.models {
            let (status, output) = Recorder.run("model", url.path)
            guard status == .success else {
                #expect(output.remarks.count >= 1)
                continue
            }
            readable += 1
            #expect(Recorder.run("model", url.path, "--diagram", "mermaid").status == .success)
            #expect(Recorder.run("model", url.path, "--diagram", "dot").status == .success)
            #expect([.success, .findings].contains(Recorder.run("model", url.path, "--lint").status))
            let model = try ModelFile.read(url.path)
            for style in GeneratedClasses.Style.allCases {
                let classes = GeneratedClasses(model, source: "A.xcdatamodel", style: style, access: "public")
                #expect(Set(classes.files.map(\.name)).count == classes.files.count)
                let again = GeneratedClasses(
                    try ModelFile.read(url.path), source: "A.xcdatamodel", style: style, access: "public")
                #expect(classes.files == again.files)
            }
        }
        #expect(readable > 200)
    }
}

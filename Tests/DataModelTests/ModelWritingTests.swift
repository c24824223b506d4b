import DataModel
import Foundation
import TestSupport
import Testing

@Suite("Writing models", .enabled(if: Fixtures.isAvailable))
struct ModelWritingTests {
    private static func files(_ fits: (String) -> Bool) -> [URL] {
        [Fixtures.models, Fixtures.stores].flatMap { Fixtures.files(below: $0, where: fits) }
    }

    private func read(_ data: Data, _ name: String) throws -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        try model.read(data, from: URL(fileURLWithPath: "/\(name)"))
        return model
    }

    private func difference(_ a: [String: String], _ b: [String: String]) -> [String] {
        Set(a.keys).union(b.keys).sorted().filter { a[$0] != b[$0] }.map { "\($0): \(a[$0] ?? "-"), \(b[$0] ?? "-")" }
    }

    @Test("Every source, compiled and read back, is the same model")
    func compiledAndBack() throws {
        let files = Self.files { $0 == "contents" || $0 == "elements" }
        #expect(files.count > 250)
        for file in files {
            let model = try NSManagedObjectModel(readingModelAt: file)
            let back = try read(try model.compiledData(), "\(file.path).mom")
            #expect(model.compiled().differences(from: back) == [], "\(file.path)")
            #expect(back.loadingIssues.allSatisfy { $0.contains("its inverse") })
            let again = try read(try back.compiledData(), "Again.mom")
            #expect(try again.compiledData() == back.compiledData(), "\(file.path)")
        }
    }

    @Test(
        "A compiled model of Apple's, written again, differs in nothing that the independent reader sees",
        .enabled(if: Fixtures.hasOracles))
    func writtenAgain() throws {
        let folder = try TemporaryFolder()
        var pairs: [(String, String)] = []
        for (number, file) in Self.files({ $0.hasSuffix(".mom") }).enumerated() {
            let model = try NSManagedObjectModel(readingModelAt: file)
            pairs.append((file.path, try folder.write(try model.compiledData(), to: "\(number).mom").path))
        }
        for fixture in StoreFixture.all {
            guard let cache = try fixture.readCache() else { continue }
            let model = NSManagedObjectModel()
            try model.read(cache: cache, hashes: [:], from: fixture.store)
            let original = try folder.write(cache, to: "\(fixture.name).cache")
            pairs.append((original.path, try folder.write(try model.cacheData(), to: "\(fixture.name)-again.cache").path))
        }
        #expect(pairs.count >= 37)
        let fields = try ModelOracle.read(pairs.flatMap { [$0.0, $0.1] }, isWhole: true)
        for (original, written) in pairs {
            // Predicates have no truth values here, but the numbers 1 and 0.
            // The one file that was made by hand has no classes of values, and one store has a value of an app's own class.
            let found = difference(try #require(fields[original]), try #require(fields[written])).filter {
                !(original.contains("freecoredata") && $0.contains("/valueClass")) && !$0.contains("CoreDataPlus_Tests.Cover")
                    && !$0.hasSuffix("s:true == true, s:1 == 1")
            }
            #expect(found == [], "\(original)")
        }
    }

    @Test("What we compile, the independent reader reads as the source", .enabled(if: Fixtures.hasOracles))
    func compiledForOracle() throws {
        let folder = try TemporaryFolder()
        var written: [(URL, URL, NSManagedObjectModel)] = []
        for (number, file) in Self.files({ $0 == "contents" }).enumerated() {
            let model = try NSManagedObjectModel(readingModelAt: file)
            written.append((file, try folder.write(try model.compiledData(), to: "\(number).mom"), model.compiled()))
        }
        let fields = try ModelOracle.read(written.map(\.1.path))
        for (file, compiled, model) in written {
            let skipped = ["/allowsCloudEncryption"]
            let found = difference(FlatModel(model).fields, try #require(fields[compiled.path])).filter { text in
                !skipped.contains { text.contains($0) }
            }
            #expect(found == [], "\(file.path)")
        }
    }

    @Test("Every source, written as a source and read back, is the same model, also to the independent reader")
    func sourceAndBack() throws {
        let folder = try TemporaryFolder()
        let files = Self.files { $0 == "contents" || $0 == "elements" }
        var pairs: [(String, String)] = []
        for (number, file) in files.enumerated() {
            let model = try NSManagedObjectModel(readingModelAt: file)
            let data = try model.sourceData()
            let back = try read(data, "\(file.path).xcdatamodel")
            #expect(model.differences(from: back) == [], "\(file.path)")
            #expect(try back.sourceData() == data)
            if file.lastPathComponent == "contents" {
                pairs.append((file.path, try folder.write(data, to: "\(number)/contents").path))
            }
        }
        guard Fixtures.hasOracles else { return }
        let fields = try ModelOracle.read(pairs.flatMap { [$0.0, $0.1] }, isWhole: true)
        for (original, written) in pairs {
            #expect(difference(try #require(fields[original]), try #require(fields[written])) == [], "\(original)")
        }
    }

    @Test("A source written again is the same text line by line")
    func sameText() throws {
        var same = 0
        var lines = (kept: 0, changed: 0)
        for file in Self.files({ $0 == "contents" }) {
            let old = try String(decoding: Data(contentsOf: file), as: UTF8.self).split(separator: "\n").map(String.init)
            let model = try NSManagedObjectModel(readingModelAt: file)
            let new = String(decoding: try model.sourceData(), as: UTF8.self).split(separator: "\n").map(String.init)
            let difference = new.difference(from: old)
            if difference.isEmpty { same += 1 }
            lines.changed += difference.insertions.count
            lines.kept += new.count - difference.insertions.count
        }
        #expect(same > 235)
        #expect(lines.changed < 10)
    }

    @Test("A bundle of Apple's compiled sources: versions, the current one, and the hashes that are known")
    func bundle() throws {
        let folder = try TemporaryFolder()
        let group = Fixtures.models.appendingPathComponent("coredataplus-alemar11")
        let source = folder.file("SampleModel3.xcdatamodeld")
        try FileManager.default.copyItem(at: group.appendingPathComponent("SampleModel3.xcdatamodeld"), to: source)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: source.path)
        let apple = group.appendingPathComponent("SampleModel3.momd")
        let compiled = folder.file("SampleModel3.momd")
        #expect(try NSManagedObjectModel.compileModel(at: source, to: compiled) == [])
        let current = try NSManagedObjectModel(readingModelAt: compiled)
        let expected = try NSManagedObjectModel(readingModelAt: apple)
        #expect(current.differences(from: expected) == [])
        #expect(current.entityVersionHashesByName != expected.entityVersionHashesByName)
        let info = compiled.appendingPathComponent("VersionInfo.plist")
        func read(_ url: URL) throws -> [String: Any] {
            try #require(PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil) as? [String: Any])
        }
        #expect((try read(info)["NSManagedObjectModel_VersionHashes"] as? [String: Any])?.isEmpty == true)
        // With Apple's hashes beside the source, ours is the folder that Apple's compiler makes.
        try FileManager.default.copyItem(
            at: apple.appendingPathComponent("VersionInfo.plist"), to: source.appendingPathComponent("VersionInfo.plist"))
        try NSManagedObjectModel.compileModel(at: source, to: compiled)
        let own = try read(info)
        let theirs = try read(apple.appendingPathComponent("VersionInfo.plist"))
        #expect(NSDictionary(dictionary: own) == NSDictionary(dictionary: theirs))
        let checksums = try NSManagedObjectModel.checksumsForVersionedModel(at: compiled)
        #expect(checksums == theirs["NSManagedObjectModel_VersionChecksums"] as? [String: String])
        #expect(
            try NSManagedObjectModel(readingModelAt: compiled).entityVersionHashesByName == expected.entityVersionHashesByName)
        // A changed entity has a hash of its own again.
        let copy = try #require(expected.copy() as? NSManagedObjectModel)
        let entity = try #require(copy.entities.first)
        let before = entity.versionHash
        entity.properties.removeLast()
        #expect(entity.versionHash != before && entity.versionHash == entity.structuralHash)
    }

    @Test("Hashes of a store are recorded beside the source of its model, and are those of the source from then on")
    func recordedHashes() throws {
        let fixture = try #require(StoreFixture.all.first { $0.name == "ddg-bookmarks-v3" })
        let source = try #require(fixture.sourceModel)
        let hashes = try fixture.readVersionHashes()
        let cached = NSManagedObjectModel()
        try cached.read(cache: try #require(try fixture.readCache()), hashes: hashes, from: fixture.store)
        let folder = try TemporaryFolder()
        let contents = try Data(contentsOf: source.appendingPathComponent("contents"))
        let bundle = folder.file("M.xcdatamodeld")
        try folder.write(contents, to: "M.xcdatamodeld/M.xcdatamodel/contents")
        #expect(try NSManagedObjectModel(readingModelAt: bundle).entityVersionHashesByName != hashes)
        #expect(try cached.recordVersionHashes(besideSourceAt: bundle) == hashes.count)
        let model = try NSManagedObjectModel(readingModelAt: bundle)
        #expect(model.entityVersionHashesByName == hashes)
        #expect(model.versionChecksum == cached.versionChecksum)
        // A source that was changed has hashes of its own, and is not taken for what it was.
        let changed = String(decoding: contents, as: UTF8.self).replacingOccurrences(
            of: "attributeType=\"Boolean\"", with: "attributeType=\"Double\"")
        try folder.write(changed, to: "M.xcdatamodeld/M.xcdatamodel/contents")
        let other = try NSManagedObjectModel(readingModelAt: bundle)
        #expect(other.entityVersionHashesByName.values.allSatisfy { !hashes.values.contains($0) })
        // A damaged file is as none.
        try folder.write(contents, to: "M.xcdatamodeld/M.xcdatamodel/contents")
        for text in [
            "", "{", "[]", "{\"a\": {\"b\": {\"apple\": \"zz\", \"structure\": \"é\"}}}", String(repeating: "[", count: 100_000),
        ] {
            try folder.write(text, to: "M.xcdatamodeld/OpenCoreDataHashes.json")
            #expect(try NSManagedObjectModel(readingModelAt: bundle).entityVersionHashesByName != hashes)
        }
    }

    @Test("Every compiled model of Apple's is what we make of its source")
    func appleFromSource() throws {
        var count = 0
        for file in Self.files({ $0.hasSuffix(".mom") }) {
            let name = file.deletingPathExtension().lastPathComponent
            let group = file.deletingLastPathComponent()
            let bundle =
                group.pathExtension == "momd" ? group.deletingPathExtension().appendingPathExtension("xcdatamodeld") : group
            let source = bundle.appendingPathComponent("\(name).xcdatamodel")
            guard FileManager.default.fileExists(atPath: source.path) else { continue }
            let apple = try NSManagedObjectModel(readingModelAt: file)
            let own = try NSManagedObjectModel(readingModelAt: source).compiled()
            // One was made by hand, of an older source.
            if file.path.contains("freecoredata") { continue }
            count += 1
            // One was compiled before its source got a class for an attribute.
            let differences = own.differences(from: apple).filter { $0 != "Car.color: attributeValueClassName: Color, nil" }
            #expect(differences == [], "\(file.path)")
            #expect(own.entitiesByName.mapValues(\.structuralHash) == apple.entitiesByName.mapValues(\.structuralHash))
        }
        #expect(count >= 14)
    }
}

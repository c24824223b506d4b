import DataModel
import Foundation
import Predicates
import TestSupport
import Testing

@Suite("Mapping models", .enabled(if: Fixtures.isAvailable))
struct MappingModelTests {
    private static var group: URL { Fixtures.models.appendingPathComponent("coredataplus-alemar11") }

    private func text(_ mapping: NSEntityMapping) -> [String] {
        func text(_ expression: _NSExpression?) -> String { expression.map { "\($0)" } ?? "nil" }
        let properties = ((mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? [])).map {
            "\(mapping.name ?? "").\($0.name ?? "") = \(text($0.valueExpression))"
        }
        let head =
            "\(mapping.name ?? ""): \(mapping.mappingType) \(mapping.sourceEntityName ?? "-") \(mapping.destinationEntityName ?? "-")"
        return [head, "\(mapping.entityMigrationPolicyClassName ?? "-") \(text(mapping.sourceExpression))"] + properties
    }

    @Test("A source of a mapping model is what Apple's compiler makes of it")
    func sourceAndCompiled() throws {
        let compiled = try #require(NSMappingModel(contentsOf: Self.group.appendingPathComponent("V2toV3.cdm")))
        let source = try NSMappingModel(readingMappingModelAt: Self.group.appendingPathComponent("V2toV3.xcmappingmodel"))
        #expect(compiled.entityMappings.map(\.name) == source.entityMappings.map(\.name))
        #expect(compiled.entityMappings.count == 5)
        for (a, b) in zip(compiled.entityMappings, source.entityMappings) {
            // One entity was not the same any more when Apple's compiler still copied it.
            if a.name == "PersonToPerson" {
                #expect(a.sourceEntityVersionHash != a.destinationEntityVersionHash)
                #expect(a.mappingType == .copyEntityMappingType && b.mappingType == .transformEntityMappingType)
                b.mappingType = .copyEntityMappingType
            }
            #expect(text(a) == text(b))
        }
        #expect(compiled.entityMappingsByName["Maker"]?.mappingType == .addEntityMappingType)
        #expect(compiled.entityMappingsByName["PersonToPerson"]?.mappingType == .copyEntityMappingType)
    }

    @Test("Every source of a mapping model can be read")
    func allSources() throws {
        let folders = Fixtures.files(below: Fixtures.models) { $0.hasSuffix(".xcmappingmodel") }
        #expect(folders.count == 12)
        var policies: Set<String> = []
        for folder in folders {
            let model = try NSMappingModel(readingMappingModelAt: folder)
            #expect(!model.entityMappings.isEmpty)
            #expect(Set(model.entityMappings.map(\.name)).count == model.entityMappings.count)
            policies.formUnion(model.entityMappings.compactMap(\.entityMigrationPolicyClassName))
        }
        #expect(!policies.isEmpty)
    }

    @Test("A mapping model is found by the hashes of both models, compiled or not")
    func search() throws {
        let models = try ["SampleModel2", "SampleModel3"].map {
            try NSManagedObjectModel(readingModelAt: Self.group.appendingPathComponent("SampleModel.momd/\($0).mom"))
        }
        for name in ["V2toV3.cdm", "V2toV3.xcmappingmodel"] {
            let folder = try TemporaryFolder()
            try FileManager.default.copyItem(at: Self.group.appendingPathComponent(name), to: folder.file(name))
            let bundle = try #require(Bundle(path: folder.url.path))
            let found = NSMappingModel(from: [bundle], forSourceModel: models[0], destinationModel: models[1])
            #expect(found?.entityMappings.count == 5, "\(name)")
            #expect(NSMappingModel(from: [bundle], forSourceModel: models[1], destinationModel: models[0]) == nil)
        }
    }

    @Test("What is not a mapping model, or is cut off, is an error")
    func damage() throws {
        let folder = try TemporaryFolder()
        #expect(#expect(throws: NSError.self) { try NSMappingModel(readingMappingModelAt: folder.file("none.cdm")) }?.code == 260)
        for text in [
            "", "bplist00", "<model/>", "<database/>", "<database><object type='XDDEVMAPPINGMODEL' id='z1'/></database>",
        ] {
            let file = try folder.write(text, to: "M.cdm")
            let error = #expect(throws: NSError.self) { try NSMappingModel(readingMappingModelAt: file) }
            #expect(error?.localizedDescription.contains("M.cdm") == true)
        }
        let compiled = try Data(contentsOf: Self.group.appendingPathComponent("V2toV3.cdm"))
        for end in stride(from: 0, to: compiled.count - 1, by: 37) {
            let file = try folder.write(compiled.prefix(end), to: "M.cdm")
            #expect(throws: NSError.self) { try NSMappingModel(readingMappingModelAt: file) }
        }
        let mom = try folder.write(
            Data(contentsOf: Self.group.appendingPathComponent("SampleModel.momd/SampleModel2.mom")), to: "M.cdm")
        #expect(#expect(throws: NSError.self) { try NSMappingModel(readingMappingModelAt: mom) }?.code == 259)
    }
}

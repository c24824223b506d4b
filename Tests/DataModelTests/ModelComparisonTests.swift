import DataModel
import Foundation
import TestSupport
import Testing

@Suite("Comparing and checking models")
struct ModelComparisonTests {
    private func read(_ content: String, _ attributes: String = "") throws -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        let text = "<model type='com.apple.IDECoreDataModeler.DataModel' \(attributes)>\(content)</model>"
        try model.read(Data(text.utf8), from: URL(fileURLWithPath: "/M.xcdatamodel"))
        return model
    }

    @Test("Two models that say the same are equal, whatever the order; a difference has its place")
    func differences() throws {
        let first = try read(
            "<entity name='A'><attribute name='x' attributeType='String'/><attribute name='y' attributeType='Date'/></entity><entity name='B'/>"
        )
        let same = try read(
            "<entity name='B'/><entity name='A'><attribute name='y' attributeType='Date'/><attribute name='x' attributeType='String'/></entity>"
        )
        #expect(first == same && first.hash == same.hash && first.differences(from: same) == [])
        #expect(try #require(first.copy() as? NSManagedObjectModel) == first)
        let other = try read(
            "<entity name='A' isAbstract='YES'><attribute name='x' optional='YES' attributeType='String' defaultValueString='?'/></entity><entity name='C'/>"
        )
        #expect(first != other)
        #expect(
            first.differences(from: other) == [
                "A: isAbstract: false, true", "A.x: isOptional: false, true", "A.x: defaultValue: nil, ?",
                "the property A.y is only in the first model", "the entity “B” is only in the first model",
                "the entity “C” is only in the second model",
            ])
    }

    @Test("R33: what Xcode warns about is told: no inverse, no type, defaults and limits that contradict each other")
    func warnings() throws {
        let model = try read(
            """
            <entity name='Movie'>
                <attribute name='rating' optional='YES' attributeType='Integer 16' defaultValueString='11' minValueString='0' maxValueString='10'/>
                <attribute name='nothing' optional='YES'/>
                <attribute name='hash' optional='YES' attributeType='String'/>
                <attribute name='range' optional='YES' attributeType='Double' minValueString='5' maxValueString='1'/>
                <relationship name='directors' optional='YES' toMany='YES' deletionRule='No Action' destinationEntity='Movie'/>
            </entity>
            """)
        let warnings = model.warnings
        #expect(warnings.count == 6)
        for text in [
            "Movie.rating: its default 11 is not valid: SELF <= 10", "Movie.nothing: it has no type",
            "Movie.hash: managed objects have a method of this name", "Movie.range: its minimum 5.0 is greater",
            "Movie.directors: it has no inverse", "Movie.directors: its deletion rule is No Action",
        ] {
            #expect(warnings.contains { $0.hasPrefix(text) }, "\(text)")
        }
        #expect(try read("<entity name='A'><attribute name='x' attributeType='String'/></entity>").warnings == [])
        let cloud = try read("<entity name='A'><attribute name='x' attributeType='String'/></entity>", "usedWithCloudKit='YES'")
        #expect(cloud.warnings == ["A.x: CloudKit needs it to be optional, or to have a default"])
    }

    @Test("Merged models keep their fetch requests, and the hashes that came with them")
    func merging() throws {
        let first = try read("<entity name='A'/><fetchRequest name='All' entity='A' predicateString='TRUEPREDICATE'/>")
        let second = try read("<entity name='B'/>")
        let hash = Data((0..<32).map { UInt8($0) })
        second.adopt(versionHashes: ["B": hash])
        let merged = try #require(NSManagedObjectModel(byMerging: [first, second]))
        #expect(merged.fetchTemplates["All"]?.entityName == "A")
        #expect(merged.entityVersionHashesByName["B"] == hash)
        #expect(merged.entityVersionHashesByName["A"] == first.entityVersionHashesByName["A"])
        // Hashes of another model are not taken.
        first.adopt(versionHashes: ["A": hash, "C": hash])
        #expect(first.entityVersionHashesByName["A"] != hash)
        first.localizationDictionary = ["Entity/A": "Aktion"]
        #expect((first.copy() as? NSManagedObjectModel)?.localizationDictionary == ["Entity/A": "Aktion"])
    }
}

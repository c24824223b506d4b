import OpenCoreData
import TestSupport
import Testing

@Suite("Model files that can't be used say where and why")
struct BadModelFileTests {
    private static let head = "<?xml version=\"1.0\"?>\n<model type=\"com.apple.IDECoreDataModeler.DataModel\">\n"

    private func error(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> NSError {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "Cinema.xcdatamodeld/Cinema.xcdatamodel/contents")
        let url = folder.file("Cinema.xcdatamodeld")
        let error = try #require(
            #expect(throws: NSError.self) { try NSManagedObjectModel(readingModelAt: url) }, sourceLocation: location)
        #expect(error.domain == NSCocoaErrorDomain, sourceLocation: location)
        #expect(error.file == folder.file("Cinema.xcdatamodeld/Cinema.xcdatamodel/contents").path, sourceLocation: location)
        #expect(NSManagedObjectModel(contentsOf: url) == nil, sourceLocation: location)
        return error
    }

    @Test("Malformed XML: error 259 with the line")
    func malformed() throws {
        let error = try error(Self.head + "  <entity name=\"Movie\">\n    <attribute name=\"title\"\n  </entity>\n</model>\n")
        #expect(error.code == CocoaError.fileReadCorruptFile.rawValue)
        #expect(error.localizedDescription.contains("line 5"), "\(error.localizedDescription)")
    }

    @Test("Cut off in the middle: error 259 with the line")
    func cutOff() throws {
        let error = try error(Self.head + "  <entity name=\"Movie\">\n    <attribute na")
        #expect(error.code == CocoaError.fileReadCorruptFile.rawValue)
        #expect(error.localizedDescription.contains("line 4"), "\(error.localizedDescription)")
    }

    @Test("What contradicts itself: error 134060, all of it in one error, each with line, entity and property")
    func contradictions() throws {
        let error = try error(
            Self.head
                + """
                  <entity name="Movie">
                    <attribute name="title" attributeType="Text"/>
                    <relationship name="director" maxCount="1" destinationEntity="Director"/>
                  </entity>
                  <entity name="Movie"/>
                </model>
                """)
        #expect(error.code == NSCoreDataError)
        #expect(error.details.count == 3)
        for (line, text) in [(4, "Movie.title"), (5, "Movie.director"), (7, "Movie")] {
            #expect(
                error.details.contains {
                    $0.localizedDescription.contains("line \(line)") && $0.localizedDescription.contains(text)
                }, "\(text): \(error)")
        }
    }

    @Test("A missing file: error 260 with its path")
    func missing() throws {
        let folder = try TemporaryFolder()
        for name in ["Cinema.xcdatamodeld", "Cinema.xcdatamodel", "Cinema"] {
            let url = folder.file(name)
            let error = #expect(throws: NSError.self) { try NSManagedObjectModel(readingModelAt: url) }
            #expect(error?.domain == NSCocoaErrorDomain)
            #expect(error?.code == CocoaError.fileReadNoSuchFile.rawValue)
            #expect(error?.localizedDescription.contains(url.path) == true)
            #expect(NSManagedObjectModel(contentsOf: url) == nil)
        }
    }

    @Test("The models that can't be read yet fail with exactly these errors", .enabled(if: Fixtures.isAvailable))
    func unsupported() throws {
        // The only store without a readable model: Xcode 3 wrote its model in a binary format.
        #expect(Set(StoreFixture.all.map(\.name)).subtracting(StoreCase.each.map(\.name)) == ["magicalrecord-recipes"])
        let recipes = Fixtures.models.appendingPathComponent("magicalrecord/Recipes.xcdatamodeld")
        var error = #expect(throws: NSError.self) { try NSManagedObjectModel(readingModelAt: recipes) }
        #expect(error?.code == NSCoreDataError)
        #expect(
            error?.localizedDescription.contains(
                "it is in the binary format of Xcode 3 (“elements”), which is not supported; save it with a newer Xcode") == true)
        let compiled = Fixtures.stores.appendingPathComponent("cdp-samplemodel-v1/SampleModel.mom")
        error = #expect(throws: NSError.self) { try NSManagedObjectModel(readingModelAt: compiled) }
        #expect(error?.code == NSCoreDataError)
        #expect(
            error?.localizedDescription.contains(
                "it is a compiled model (.mom), which is not supported; give the .xcdatamodeld instead") == true)
    }
}

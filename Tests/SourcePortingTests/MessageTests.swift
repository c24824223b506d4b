import Foundation
import Testing

@testable import SourcePorting

@Suite("What is said of sources")
struct MessageTests {
    @Test(
        "A source that does not parse stays as it is, and its place is told",
        arguments: [
            ("@objc class A {\n", "1:16 error expected '}' to end class"),
            ("@objc class A {}\nfunc (", "2:6 error expected identifier in function"), ("let a = \"abc\n", "1:"),
            ("#if X\n", "1:6"),
        ])
    func broken(source: String, start: String) {
        let ported = SourcePorter.port(source, style: .keepsLines)
        #expect(ported.text == source && !ported.parses && ported.counts.isEmpty)
        #expect(messages(source).first?.hasPrefix(start) == true, "\(messages(source))")
        #expect(messages(source).allSatisfy { $0.contains(" error ") })
    }

    @Test("What needs Objective-C and can't be ported is told with its place")
    func byHand() {
        let source = """
            @objc protocol P {
                @objc optional func f()
            }
            class A: NSObject {
                let s = #selector(P.f)
            }
            @objc(CDMovie) class Movie: NSManagedObject {}
            """
        let found = messages(source)
        #expect(found.map { String($0.prefix(12)) } == ["2:11 warning", "5:13 warning", "7:22 warning"])
        #expect(found[0].contains("optional requirement") && found[1].contains("closure") && found[2].contains("CDMovie"))
    }

    @Test("What is missing is told by feature, unless the source asks for it, or has it itself")
    func missing() {
        let source = """
            import Combine
            import SwiftUI
            let m = NSCoreDataCoreSpotlightDelegate.self
            func f(_ container: NSPersistentCloudKitContainer) {}
            """
        let found = SourcePorter.port(source, style: .keepsLines).messages
        #expect(
            found.map(\.feature) == [
                "module Combine", "module SwiftUI", "Spotlight", "CloudKit",
            ])
        #expect(found.allSatisfy { $0.severity == .missing })
        #expect(messages("#if canImport(Combine)\nimport Combine\n#endif").isEmpty)
        #expect(messages("struct Published {}\nlet p = Published()").isEmpty)
        #expect(messages("import Foundation\nimport CoreData\nimport Dispatch").isEmpty)
    }

    @Test("Nothing is called missing that this package declares")
    func missingIndeed() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var declared: Set<String> = []
        while let file = files.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let words = try String(contentsOf: file, encoding: .utf8).split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            for (keyword, name) in zip(words, words.dropFirst())
            where ["class", "struct", "protocol", "typealias", "enum"].contains(keyword) {
                declared.insert(String(name))
            }
        }
        #expect(declared.contains("NSManagedObject"))
        #expect(declared.intersection(MissingFeatures.names.keys) == [])
    }

    @Test("The outline of classes has properties and accessors with their places")
    func outline() throws {
        let classes = SourcePorter.port(SampleSource.text, style: .keepsLines).classes
        #expect(classes.map(\.name) == ["Movie", "Movie"] && classes.map(\.isExtension) == [false, true])
        #expect(classes[0].inheritedNames == ["NSManagedObject"] && classes[0].line == 4)
        #expect(Set(classes[0].properties.map { "\($0.name): \($0.type)" }) == ["a: Int16", "b: Int16", "c: String?"])
        #expect(classes[1].properties.map { "\($0.storedName) \($0.line)" } == ["actors 25", "scenes 26"])
        #expect(
            classes[1].accessors.map { "\($0.key) \($0.isOrdered.map(String.init) ?? "?") \($0.line)" } == [
                "actors ? 20", "scenes true 22",
            ])
    }

    @Test("Sources of absurd size are not read")
    func size() {
        let source = String(repeating: " ", count: SourcePorter.limit + 1)
        #expect(messages(source).count == 1)
    }
}

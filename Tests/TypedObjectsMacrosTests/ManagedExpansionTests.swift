import Testing

@Suite("@Managed writes the accessors of one property")
struct ManagedExpansionTests {
    @Test("without a slot the accessors go through a key kept beside the property")
    func keyed() {
        let expansion = Expansion(
            """
            class Movie: NSManagedObject {
                @Managed private var cd_duration: NSNumber?
            }
            """)
        #expect(expansion.diagnostics == [])
        #expect(
            expansion.source == """
                class Movie: NSManagedObject {
                    private var cd_duration: NSNumber? {
                        get {
                            _get(Movie._key_cd_duration, as: NSNumber?.self)
                        }
                        set {
                            _set(Movie._key_cd_duration, newValue)
                        }
                    }

                    private static let _key_cd_duration = _ManagedKey("cd_duration", NSNumber?.self, file: "Tests/Tests.swift", line: 2)
                }
                """)
    }

    @Test("with a slot the accessors name the place counted from the class's first slot")
    func slotted() {
        let expansion = Expansion("class Movie: NSManagedObject {\n    @Managed(_slot: 7) var title: String\n}")
        #expect(expansion.source.contains("_get(\"title\", Movie._typedSlotBase + 7)"))
        #expect(expansion.source.contains("_set(\"title\", Movie._typedSlotBase + 7, newValue)"))
        #expect(!expansion.source.contains("_ManagedKey"))
    }

    @Test(
        "a stored name given to @Managed or @Attribute is the name of the key",
        arguments: ["@Managed(\"zlen\")", "@Attribute(\"zlen\") @Managed"])
    func storedName(attributes: String) {
        let expansion = Expansion("class Movie: NSManagedObject {\n    \(attributes) var duration: Int32\n}")
        #expect(expansion.source.contains("_get(Movie._key_duration, as: Int32.self)"))
        #expect(
            expansion.source.contains(
                "_key_duration = _ManagedKey(\"zlen\", Int32.self, property: \"duration\""))
    }

    @Test("the innermost class is the one that is named")
    func nestedClass() {
        let expansion = Expansion("class Outer {\n    class Inner: NSManagedObject {\n        @Managed var x: Int\n    }\n}")
        #expect(expansion.source.contains("_get(Inner._key_x, as: Int.self)"))
    }

    @Test("R61: in an extension the class is the one that is extended", arguments: ["Movie", "Cinema.Movie"])
    func inExtension(name: String) {
        let expansion = Expansion("public extension \(name) {\n    @Managed var x: [String]?\n}")
        #expect(expansion.diagnostics == [])
        #expect(expansion.source.contains("_get(\(name)._key_x, as: [String]?.self)"))
        #expect(expansion.source.contains("private static let _key_x = _ManagedKey(\"x\", [String]?.self, file:"))
    }

    @Test(
        "R64: a property may have every type that a transformable attribute or a number can be read as",
        arguments: [
            "NSArray?", "NSDictionary?", "NSObject?", "[String]", "[String: String]?", "[UUID: Int64]", "Set<String>?", "Any?",
            "AnyObject?", "UInt64", "CGFloat", "any NSCoding", "Color!",
        ])
    func types(type: String) {
        #expect(Expansion("class Movie: NSManagedObject {\n    @Managed var x: \(type)\n}").diagnostics == [])
    }

    @Test("R64: and none that nothing can be read as", arguments: ["() -> Void", "(Int, Int)", "Character?", "Int.Type"])
    func impossibleTypes(type: String) {
        let expansion = Expansion("class Movie: NSManagedObject {\n    @Managed var x: \(type)\n}")
        #expect(expansion.diagnostics.count == 1 && expansion.diagnostics.first?.contains("can't have the type") == true)
    }
}

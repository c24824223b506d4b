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
                            _get(Movie._key_cd_duration)
                        }
                        set {
                            _set(Movie._key_cd_duration, newValue)
                        }
                    }

                    private static let _key_cd_duration = ManagedKey("cd_duration") {
                        $0.add("cd_duration", NSNumber?.self, storedName: "cd_duration")
                    }
                }
                """)
    }

    @Test("with a slot the accessors name the place counted from the class's first slot")
    func slotted() {
        let expansion = Expansion("class Movie: NSManagedObject {\n    @Managed(slot: 7) var title: String\n}")
        #expect(expansion.source.contains("_get(\"title\", Movie._typedSlotBase + 7)"))
        #expect(expansion.source.contains("_set(\"title\", Movie._typedSlotBase + 7, newValue)"))
        #expect(!expansion.source.contains("ManagedKey"))
    }

    @Test(
        "a stored name given to @Managed or @Attribute is the name of the key",
        arguments: ["@Managed(\"zlen\")", "@Attribute(\"zlen\") @Managed"])
    func storedName(attributes: String) {
        let expansion = Expansion("class Movie: NSManagedObject {\n    \(attributes) var duration: Int32\n}")
        #expect(expansion.source.contains("_get(Movie._key_duration)"))
        #expect(
            expansion.source.contains(
                "_key_duration = ManagedKey(\"zlen\") {\n        $0.add(\"duration\", Int32.self, storedName: \"zlen\")"))
    }

    @Test("the innermost class is the one that is named")
    func nestedClass() {
        let expansion = Expansion("class Outer {\n    class Inner: NSManagedObject {\n        @Managed var x: Int\n    }\n}")
        #expect(expansion.source.contains("_get(Inner._key_x)"))
    }
}

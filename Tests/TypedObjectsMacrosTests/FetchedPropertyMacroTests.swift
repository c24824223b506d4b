import Testing

@Suite("@FetchedProperty")
struct FetchedPropertyMacroTests {
    private static func expand(_ property: String) -> Expansion {
        Expansion("@Entity class Movie: NSManagedObject {\n    \(property)\n}")
    }

    @Test("a fetched property gets a getter by its name, its place in the schema, and no argument of the initializer")
    func expansion() {
        let expansion = Expansion(
            """
            @Entity final class Movie: NSManagedObject {
                @FetchedProperty("genre == $FETCH_SOURCE.genre", sortedBy: [NSSortDescriptor(key: "title", ascending: true)], limit: 3)
                var similar: [Movie]
                var title: String
                @FetchedProperty(storedName: "everything") var all: Array<Other>
            }
            """)
        #expect(expansion.diagnostics == [])
        #expect(
            expansion.source == """
                final class Movie: NSManagedObject {
                    var similar: [Movie] {
                        get {
                            _getFetched("similar")
                        }
                    }
                    var title: String {
                        @inline(__always) get {
                            _get("title", Movie._typedSlotBase + 1)
                        }
                        set {
                            _set("title", Movie._typedSlotBase + 1, newValue)
                        }
                    }
                    var all: Array<Other> {
                        get {
                            _getFetched("everything")
                        }
                    }

                    static var _typedSlotBase: Int {
                        0
                    }

                    static var _typedSlotCount: Int {
                        Movie._typedSlotBase + 3
                    }

                    static var _typedSchema: _TypedSchema {
                        var schema = _TypedSchema(entityName: "Movie", type: Movie.self, superclass: NSManagedObject.self)
                        schema.add(fetched: "similar", [Movie].self, format: "genre == $FETCH_SOURCE.genre", sortedBy: [NSSortDescriptor(key: "title", ascending: true)], limit: 3)
                        schema.add("title", String.self)
                        schema.add(fetched: "all", Array<Other>.self, storedName: "everything")
                        return schema
                    }

                    static var _typedKeyPaths: [AnyKeyPath] {
                        [\\Movie.similar, \\Movie.title, \\Movie.all]
                    }

                    /// Inserts a new `Movie` object into a context and sets its properties.
                    ///
                    /// Call it on the context's queue. The object can't do without `title`.
                    convenience init(context: NSManagedObjectContext, title: String) {
                        let _fault = context._beginInsertion()
                        self.init(entity: Self._entityDescription(in: context), insertInto: Optional(context))
                        context._endInsertion(_fault)
                        self.title = title
                    }
                }

                extension Movie: TypedObject {
                }
                """)
    }

    @Test("with @Managed in a class written by hand there is a key")
    func managed() {
        let expansion = Expansion("class Movie: NSManagedObject {\n    @Managed @FetchedProperty var similar: [Movie]\n}")
        #expect(expansion.diagnostics == [])
        #expect(expansion.source.contains("_getFetched(Movie._key_similar)") && !expansion.source.contains("set {"))
        #expect(expansion.source.contains("_ManagedKey(\"similar\", [Movie].self, form: .fetched"))
    }

    @Test(
        "what a fetched property can't be, with the correction",
        arguments: [
            (
                "@FetchedProperty(\"a == 1\") let x: [A]", "2:32: fetched property 'x' must be a 'var': what it finds may change",
                "@FetchedProperty(\"a == 1\") var x: [A]"
            ),
            (
                "@FetchedProperty(\"a == 1\") var x: [A] = []",
                "2:43: fetched property 'x' can't have the initial value '[]': its value is what the store finds",
                "@FetchedProperty(\"a == 1\") var x: [A]"
            ),
            (
                "@FetchedProperty(\"a == 1\") private(set) var x: [A]",
                "2:32: fetched property 'x' has no setter: its value is what the store finds",
                "@FetchedProperty(\"a == 1\") var x: [A]"
            ),
            (
                "@FetchedProperty(\"a == 1\") var x: [A] { get { [] } set {} }",
                "2:43: @FetchedProperty has no meaning for the computed property 'x'", "var x: [A] { get { [] } set {} }"
            ),
            (
                "@FetchedProperty static var x: [A] = []",
                "2:5: @FetchedProperty has no meaning here: static, lazy, weak, unowned and overriding properties do not belong to the entity",
                "static var x: [A] = []"
            ),
            (
                "@FetchedProperty(\"a == 1\") var x: Set<A>",
                "2:39: fetched property 'x' can't have the type 'Set<A>': it is an array of objects of an @Entity class",
                "@FetchedProperty(\"a == 1\") var x: [A]"
            ),
            (
                "@FetchedProperty(\"a == 1\") var x: [A]?",
                "2:39: fetched property 'x' can't have the type '[A]?': it is an array of objects of an @Entity class",
                "@FetchedProperty(\"a == 1\") var x: [A]"
            ),
            (
                "@FetchedProperty(\"a == 1\") var x: A",
                "2:39: fetched property 'x' can't have the type 'A': it is an array of objects of an @Entity class",
                "@FetchedProperty(\"a == 1\") var x: [A]"
            ),
            (
                "@FetchedProperty(\"a == 1\") @Relationship(inverse: \\A.b) var x: [A]",
                "2:32: property 'x' is a fetched property: @Relationship has no meaning for it",
                "@FetchedProperty(\"a == 1\") var x: [A]"
            ),
            (
                "@Attribute(.unique) @FetchedProperty(\"a == 1\") var x: [A]",
                "2:5: property 'x' is a fetched property: @Attribute has no meaning for it",
                "@FetchedProperty(\"a == 1\") var x: [A]"
            ),
            (
                "@Ignored @FetchedProperty(\"a == 1\") var x: [A] = []",
                "2:14: property 'x' is @Ignored: @FetchedProperty has no meaning for it", "@Ignored var x: [A] = []"
            ),
        ])
    func misuse(property: String, diagnostic: String, corrected: String) {
        let expansion = Self.expand(property)
        #expect(expansion.diagnostics == [diagnostic])
        #expect(expansion.corrected == ["@Entity class Movie: NSManagedObject {\n    \(corrected)\n}"])
    }

    @Test(
        "what a fetched property can't be, where nobody knows what was meant",
        arguments: [
            ("@FetchedProperty(\"a == 1\") var x", "2:36: managed property 'x' needs a type annotation"),
            (
                "@FetchedProperty(\"a == 1\") var x: [String]",
                "2:39: fetched property 'x' can't have the type '[String]': it is an array of objects of an @Entity class"
            ),
            (
                "@FetchedProperty(storedName: name) var x: [A]",
                "2:34: the stored name must be a string literal without interpolation"
            ),
        ])
    func unclear(property: String, diagnostic: String) {
        let expansion = Self.expand(property)
        #expect(expansion.diagnostics == [diagnostic])
        #expect(expansion.corrected == [])
    }

    @Test("a composite has none")
    func composite() {
        let expansion = Expansion("@Composite struct A {\n    @FetchedProperty(\"a == 1\") var x: [B]\n}")
        #expect(expansion.diagnostics == ["2:5: a composite has no relationships: 'x' belongs in an @Entity class"])
    }
}

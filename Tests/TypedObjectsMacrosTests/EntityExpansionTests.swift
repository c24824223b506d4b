import Testing

@Suite("@Entity writes accessors, schema and initializer")
struct EntityExpansionTests {
    @Test("B18: a root class gets slots from 0, a schema in source order, required arguments without default and the conformance")
    func rootClass() {
        let expansion = Expansion(
            """
            @Entity final class Movie: NSManagedObject {
                @Attribute("length") var duration: Int32 = 0
                @Attribute(.unique) private(set) var imdbID: String
                var scenes: [Scene]
                var isLong: Bool { duration > 180 }
            }
            """)
        #expect(expansion.diagnostics == [])
        #expect(
            expansion.source == """
                final class Movie: NSManagedObject {
                    var duration: Int32 {
                        @inline(__always) get {
                            _get("length", Movie._typedSlotBase + 0)
                        }
                        set {
                            _set("length", Movie._typedSlotBase + 0, newValue)
                        }
                    }
                    private(set) var imdbID: String {
                        @inline(__always) get {
                            _get("imdbID", Movie._typedSlotBase + 1)
                        }
                        set {
                            _set("imdbID", Movie._typedSlotBase + 1, newValue)
                        }
                    }
                    var scenes: [Scene] {
                        @inline(__always) get {
                            _get("scenes", Movie._typedSlotBase + 2)
                        }
                        set {
                            _set("scenes", Movie._typedSlotBase + 2, newValue)
                        }
                        _modify {
                            var edit = _edit("scenes", Movie._typedSlotBase + 2, as: [Scene].self)
                            defer {
                                _end(&edit, "scenes", Movie._typedSlotBase + 2)
                            }
                            yield &edit.value
                        }
                    }
                    var isLong: Bool { duration > 180 }

                    static var _typedSlotBase: Int {
                        0
                    }

                    static var _typedSlotCount: Int {
                        Movie._typedSlotBase + 3
                    }

                    static var _typedSchema: _TypedSchema {
                        var schema = _TypedSchema(entityName: "Movie", type: Movie.self, superclass: NSManagedObject.self)
                        schema.add("duration", Int32.self, storedName: "length", default: 0)
                        schema.add("imdbID", String.self, options: [.unique])
                        schema.add("scenes", [Scene].self)
                        return schema
                    }

                    static var _typedKeyPaths: [AnyKeyPath] {
                        [\\Movie.duration, \\Movie.imdbID, \\Movie.scenes]
                    }

                    /// Inserts a new `Movie` object into a context and sets its properties.
                    ///
                    /// Call it on the context's queue. The object can't do without `imdbID`.
                    convenience init(context: NSManagedObjectContext, imdbID: String, duration: Int32 = 0, scenes: [Scene] = []) {
                        let _fault = context._beginInsertion()
                        self.init(entity: Self._entityDescription(in: context), insertInto: Optional(context))
                        context._endInsertion(_fault)
                        self.imdbID = imdbID
                        if !scenes.isEmpty {
                            self.scenes = scenes
                        }
                        let _before = _setProperties
                        self.duration = duration
                        _forgetDefaults(since: _before)
                    }
                }

                extension Movie: TypedObject {
                }
                """)
    }

    @Test("a subclass of an entity overrides, counts on from its superclass and adds no second conformance")
    func subclass() {
        let expansion = Expansion(
            """
            @Entity("FeatureFilm") class Feature: Movie {
                var budget: Decimal?
            }
            """, inheritsEntity: true)
        #expect(expansion.diagnostics == [])
        #expect(
            expansion.source == """
                class Feature: Movie {
                    var budget: Decimal? {
                        @inline(__always) get {
                            _get("budget", Feature._typedSlotBase + 0)
                        }
                        set {
                            _set("budget", Feature._typedSlotBase + 0, newValue)
                        }
                    }

                    override class var _typedSlotBase: Int {
                        Movie._typedSlotCount
                    }

                    override class var _typedSlotCount: Int {
                        Feature._typedSlotBase + 1
                    }

                    override class var _typedSchema: _TypedSchema {
                        var schema = _TypedSchema(entityName: "FeatureFilm", type: Feature.self, superclass: Movie.self)
                        schema.add("budget", Decimal?.self)
                        return schema
                    }

                    override class var _typedKeyPaths: [AnyKeyPath] {
                        _typedKeyPaths(rootedAt: Feature.self)
                    }

                    class func _typedKeyPaths<Root: Feature>(rootedAt root: Root.Type) -> [AnyKeyPath] {
                        Movie._typedKeyPaths(rootedAt: Root.self) + [\\Root.budget]
                    }

                    /// Inserts a new `FeatureFilm` object into a context and sets its properties.
                    ///
                    /// Call it on the context's queue. Every property has a default.
                    convenience init(context: NSManagedObjectContext, budget: Decimal? = nil) {
                        let _fault = context._beginInsertion()
                        self.init(entity: Self._entityDescription(in: context), insertInto: Optional(context))
                        context._endInsertion(_fault)
                        let _before = _setProperties
                        self.budget = budget
                        _forgetDefaults(since: _before)
                    }
                }
                """)
    }

    @Test("a class without properties of its own gets a schema and keeps the initializer it inherits")
    func emptyClass() {
        let expansion = Expansion("@Entity final class Sequel: Movie {\n}", inheritsEntity: true)
        #expect(expansion.source.contains("override static var _typedSlotCount: Int {\n        Sequel._typedSlotBase + 0"))
        #expect(
            expansion.source.contains(
                "let schema = _TypedSchema(entityName: \"Sequel\", type: Sequel.self, superclass: Movie.self)"))
        #expect(!expansion.source.contains("init("))
    }

    @Test("a property that already has @Managed keeps its key, and counts among the slots and in the schema")
    func handManagedProperty() {
        let expansion = Expansion(
            """
            @Entity class Movie: NSManagedObject {
                @Managed private var cd_rating: NSNumber?
                var title: String
            }
            """)
        #expect(expansion.source.contains("private static let _key_cd_rating = _ManagedKey(\"cd_rating\", "))
        #expect(expansion.source.contains("_get(Movie._key_cd_rating, as: "))
        #expect(expansion.source.contains("_get(\"title\", Movie._typedSlotBase + 1)"))
        #expect(expansion.source.contains("schema.add(\"cd_rating\", NSNumber?.self)"))
        #expect(expansion.source.contains("init(context: NSManagedObjectContext, title: String) {"))
    }

    @Test("static, lazy, weak and computed properties do not belong to the entity")
    func otherProperties() {
        let expansion = Expansion(
            """
            @Entity class Movie: NSManagedObject {
                static var count = 0
                class var kind: String { "movie" }
                lazy var cache = [Int: String]()
                weak var delegate: Delegate?
                var shout: String { get { title } set { title = newValue } }
                var title: String
            }
            """)
        #expect(expansion.diagnostics == [])
        #expect(expansion.source.contains("_get(\"title\", Movie._typedSlotBase + 0)"))
        #expect(expansion.source.contains("Movie._typedSlotBase + 1\n"))
    }

    @Test("the parts of @Relationship reach the schema, an inverse as the Swift name at the end of its key path")
    func relationship() {
        let expansion = Expansion(
            #"""
            @Entity class Director: NSManagedObject {
                @Relationship("films", deleteRule: .cascade, inverse: \Movie.director, maxCount: 9) var movies: Set<Movie>
                @OpenCoreData.Relationship(inverse: \Person.`self`) var other: Director?
            }
            """#)
        #expect(
            expansion.source.contains(
                #"schema.add("movies", Set<Movie>.self, storedName: "films", settings: _RelationshipSettings(deleteRule: .cascade, inverse: "director", maxCount: 9))"#
            ))
        #expect(expansion.source.contains("_get(\"films\", Director._typedSlotBase + 0)"))
        #expect(
            expansion.source.contains(#"schema.add("other", Director?.self, settings: _RelationshipSettings(inverse: "self"))"#))
    }

    @Test(
        "an initial value that is surely constant becomes the model's default, any other is computed for each object",
        arguments: [
            ("Int32", "-1", "default: -1"), ("Double", "2 * 3.5", "default: 2 * 3.5"), ("Genre", ".drama", "default: .drama"),
            ("Genre", "Genre.drama", "default: Genre.drama"), ("String", "\"a b\"", "default: \"a b\""),
            ("Decimal?", "Decimal(string: \"1.5\")", "default: Decimal(string: \"1.5\")"),
            ("Date", ".init(timeIntervalSince1970: 0)", "default: .init(timeIntervalSince1970: 0)"),
            ("Date", ".now", "initial: { .now }"), ("Date", "Date.now", "initial: { Date.now }"),
            ("Date", "Date()", "initial: { Date() }"),
            ("UUID", "UUID()", "initial: { UUID() }"), ("Int", "counter", "initial: { counter }"),
            ("Int", "Int.random(in: 1...6)", "initial: { Int.random(in: 1...6) }"),
            ("Date", "Date(timeIntervalSince1970: offset)", "initial: { Date(timeIntervalSince1970: offset) }"),
            ("Date", "Date(timeIntervalSinceNow: 60)", "initial: { Date(timeIntervalSinceNow: 60) }"),
            ("String", "\"\\(counter)\"", "initial: { \"\\(counter)\" }"),
        ])
    func initialValues(type: String, value: String, argument: String) {
        let expansion = Expansion("@Entity class A: NSManagedObject {\n    var x: \(type) = \(value)\n}")
        #expect(expansion.diagnostics == [])
        let source = expansion.source.filter { !$0.isWhitespace }
        #expect(source.contains("schema.add(\"x\",\(type).self,\(argument))".filter { !$0.isWhitespace }))
        // R03: nobody can tell a computed value from one that was passed, so nil stands for it.
        let parameter = argument.hasPrefix("initial") ? "x:Optional<\(type)>=nil){" : "x:\(type)=\(value)){"
        #expect(source.contains(parameter.filter { !$0.isWhitespace }))
    }

    @Test("nil as an initial value says no more than the optional type")
    func nilInitialValue() {
        let expansion = Expansion("@Entity class A: NSManagedObject {\n    var x: Int? = nil\n}")
        #expect(expansion.source.contains("schema.add(\"x\", Int?.self)"))
    }

    @Test("an implicitly unwrapped type is an optional one in the schema; composed types are put in parentheses")
    func unusualTypes() {
        let expansion = Expansion(
            "@Entity class A: NSManagedObject {\n    var x: String!\n    @Attribute(.transformable) var y: any P\n    var z: Optional<Int>\n}"
        )
        #expect(expansion.diagnostics == [])
        #expect(expansion.source.contains("schema.add(\"x\", String?.self)"))
        #expect(expansion.source.contains("schema.add(transformed: \"y\", (any P).self, options: [.transformable])"))
        #expect(
            expansion.source.contains("init(context: NSManagedObjectContext, y: any P, x: String! = nil, z: Optional<Int> = nil)")
        )
    }

    @Test("options, codable and transformable values, and what @Entity says reach the schema")
    func options() {
        let expansion = Expansion(
            #"""
            @Entity("Film", isAbstract: true, originalName: "Movie", userInfo: ["a": "b"]) class Movie: NSManagedObject {
                #Unique<Movie>([\.title, \.year], [\.code])
                #Index<Movie>([\.year])
                @Attribute(.codable) var place: Place?
                @Attribute("paint", .transformable(by: ColorTransformer())) var color: Color
                @Attribute(.derived("canonical:(title)")) var sortTitle: String?
                @Ignored var cache: [Int: String] = [:]
                var title: String
            }
            """#)
        #expect(expansion.diagnostics == [])
        for line in [
            #"entityName: "Film", type: Movie.self, superclass: NSManagedObject.self, isAbstract: true, originalName: "Movie", userInfo: ["a": "b"], uniqueness: [["title", "year"], ["code"]], indexes: [["year"]])"#,
            #"schema.add(coded: "place", Place?.self, options: [.codable])"#,
            #"schema.add(transformed: "color", Color.self, storedName: "paint", options: [.transformable(by: ColorTransformer())])"#,
            #"schema.add("sortTitle", String?.self, options: [.derived("canonical:(title)")])"#,
            #"_getCoded("place", Movie._typedSlotBase + 0)"#, #"_setCoded("place", Movie._typedSlotBase + 0, newValue)"#,
            #"_getTransformed("paint", Movie._typedSlotBase + 1)"#,
            #"_setTransformed("paint", Movie._typedSlotBase + 1, newValue)"#,
            #"_get("title", Movie._typedSlotBase + 3)"#, "var cache: [Int: String] = [:]",
        ] {
            #expect(expansion.source.contains(line))
        }
        #expect(!expansion.source.contains("_set(\"sortTitle\""), "nobody sets a derived attribute")
        #expect(expansion.source.contains("It is for subclasses: an object of the abstract class itself can't be saved."))
        #expect(
            expansion.source.contains("init(context: NSManagedObjectContext, color: Color, title: String, place: Place? = nil)"))
    }

    @Test("a property named by a keyword keeps its backticks in code and loses them in names")
    func keywordName() {
        let expansion = Expansion(
            "@Entity class A: NSManagedObject {\n    var `default`: String\n    @Managed var `in`: String?\n}")
        #expect(expansion.source.contains("_get(\"default\", A._typedSlotBase + 0)"))
        #expect(expansion.source.contains("`default`: String, `in`: String? = nil) {"))
        #expect(expansion.source.contains("self.`default` = `default`"))
        #expect(expansion.source.contains("let _key_in = _ManagedKey(\"in\", "))
    }

    @Test("a property named context doesn't collide with the initializer's own argument")
    func contextProperty() {
        let expansion = Expansion("@Entity class A: NSManagedObject {\n    var context: String\n}")
        #expect(
            expansion.source.contains("convenience init(context managedObjectContext: NSManagedObjectContext, context: String) {")
        )
        #expect(expansion.source.contains("entity: Self._entityDescription(in: managedObjectContext), "))
        #expect(expansion.source.contains("insertInto: Optional(managedObjectContext))"))
    }

    @Test("an initializer that the class declares with the same labels is not written again")
    func handWrittenInitializer() {
        let expansion = Expansion(
            """
            @Entity class A: NSManagedObject {
                var x: Int
                convenience init(context: NSManagedObjectContext, x: Int) { self.init(context: context) }
            }
            """)
        #expect(!expansion.source.contains("_entityDescription"))
    }
}

@Suite("@Entity follows access levels")
struct EntityAccessTests {
    @Test(
        "generated members are as visible as the class",
        arguments: [
            ("public", "public class var", "public convenience init"), ("open", "open class var", "public convenience init"),
            ("package", "package class var", "package convenience init"), ("fileprivate", "class var", "convenience init"),
            ("public final", "public static var", "public convenience init"),
        ])
    func membersFollowClass(modifier: String, member: String, initializer: String) {
        let property = modifier == "fileprivate" ? "" : modifier == "package" ? "package " : "public "
        let expansion = Expansion("@Entity \(modifier) class A: NSManagedObject {\n    \(property)var x: Int\n}")
        for name in ["_typedSlotBase", "_typedSlotCount", "_typedSchema"] {
            #expect(expansion.source.contains("    \(member) \(name):"))
        }
        #expect(expansion.source.contains("    \(initializer)("))
    }

    @Test("the initializer is no more visible than the properties it can't do without, and leaves hidden optional ones out")
    func initializerFollowsRequiredProperties() {
        let expansion = Expansion(
            """
            @Entity public class A: NSManagedObject {
                public var x: Int
                var y: Kind
                var z: Kind?
                private var w: Int = 0
                public private(set) var v: Int?
            }
            """)
        #expect(
            expansion.source.contains("    convenience init(context: NSManagedObjectContext, x: Int, y: Kind, v: Int? = nil) {"))
    }

    @Test("a private required property is an argument all the same")
    func privateRequiredProperty() {
        let expansion = Expansion("@Entity class A: NSManagedObject {\n    private var x: Int\n}")
        #expect(expansion.source.contains("    convenience init(context: NSManagedObjectContext, x: Int) {"))
    }
}

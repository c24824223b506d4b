import Testing

@Suite("Macros say what is wrong, and where")
struct MacroDiagnosticTests {
    @Test("@Entity on anything but a class", arguments: ["struct", "enum", "actor"])
    func notAClass(keyword: String) {
        let expansion = Expansion("@Entity \(keyword) Movie {\n    var title: String { \"\" }\n}")
        #expect(expansion.diagnostics == ["1:9: @Entity belongs on a class that inherits from NSManagedObject"])
        #expect(expansion.source == "\(keyword) Movie {\n    var title: String { \"\" }\n}")
    }

    @Test("@Entity on a class without a superclass")
    func noSuperclass() {
        let expansion = Expansion("@Entity class Movie {\n    var title: String\n}")
        #expect(
            expansion.diagnostics == ["1:15: @Entity class 'Movie' needs a superclass: NSManagedObject or another @Entity class"])
        #expect(!expansion.source.contains("_typed"))
        #expect(expansion.fixIts == ["inherit from 'NSManagedObject'"])
        #expect(expansion.corrected == ["@Entity class Movie: NSManagedObject {\n    var title: String\n}"])
    }

    @Test(
        "a superclass that is none, with the correction",
        arguments: [("NSObject", "NSManagedObject"), ("Codable, Hashable", "NSManagedObject, Codable, Hashable")])
    func wrongSuperclass(clause: String, corrected: String) {
        let expansion = Expansion("@Entity class Movie: \(clause) {\n}")
        let name = clause.prefix { $0 != "," }
        #expect(
            expansion.diagnostics == [
                "1:22: @Entity class 'Movie' can't inherit from '\(name)': its superclass must be NSManagedObject or another @Entity class"
            ])
        #expect(expansion.corrected == ["@Entity class Movie: \(corrected) {\n}"])
    }

    @Test("a generic class")
    func genericClass() {
        let expansion = Expansion("@Entity class Movie<T>: NSManagedObject {\n}")
        #expect(expansion.diagnostics == ["1:20: @Entity class 'Movie' can't be generic: an entity has one class"])
    }

    @Test(
        "a property with the name of a member of NSManagedObject, or a word of Swift, with the correction",
        arguments: ["description", "hash", "entity", "isDeleted", "fetchRequest", "Type"])
    func reservedName(name: String) {
        let expansion = Expansion("@Entity class Movie: NSManagedObject {\n    var \(name): String?\n}")
        #expect(
            expansion.diagnostics == [
                "2:9: a managed property can't be called '\(name)': NSManagedObject or Swift has that name; call it '\(name)_' and keep the stored name"
            ])
        #expect(expansion.fixIts == ["rename to '\(name)_', stored as '\(name)'"])
        #expect(
            expansion.corrected == [
                "@Entity class Movie: NSManagedObject {\n    @Attribute(\"\(name)\") var \(name)_: String?\n}"
            ])
    }

    @Test(
        "two properties stored under one name",
        arguments: [("var title: String?", "3:16"), ("@Attribute(\"title\") var t: Int?", "3:16")])
    func duplicateStoredName(second: String, place: String) {
        let expansion = Expansion("@Entity class Movie: NSManagedObject {\n    var title: String?\n    \(second)\n}")
        let column = second.hasPrefix("var") ? "3:9" : place
        #expect(expansion.diagnostics == ["\(column): another property of the class is stored as 'title' already"])
    }

    @Test(
        "a type that no managed property can have, with the correction where there is one",
        arguments: [
            ("[String]", "@Attribute(.codable) var x: [String]"),
            ("[String: Int]?", "@Attribute(.codable) var x: [String: Int]?"),
            ("Set<Int>", "@Attribute(.codable) var x: Set<Int>"), ("UInt64?", "var x: Int64?"), ("CGFloat", "var x: Double"),
            ("Character", "var x: String"), ("(Int, Int)", nil), ("() -> Void", nil), ("Any", nil), ("any P", nil),
            ("[Any]", nil),
        ])
    func unsupportedType(type: String, corrected: String?) {
        let expansion = Expansion("@Entity class Movie: NSManagedObject {\n    var x: \(type)\n}")
        #expect(
            expansion.diagnostics == [
                "2:12: managed property 'x' can't have the type '\(type)': use @Attribute(.codable) or @Attribute(.transformable(by:)), a @Composite struct, or @Ignored for a plain Swift property"
            ])
        #expect(expansion.corrected == (corrected.map { ["@Entity class Movie: NSManagedObject {\n    \($0)\n}"] } ?? []))
    }

    @Test(
        "an annotation where it has no meaning, with the correction",
        arguments: [
            (
                "@Attribute(.unique) var x: Int { 1 }", "2:36: @Attribute has no meaning for the computed property 'x'",
                "var x: Int { 1 }"
            ),
            (
                "@Relationship(inverse: \\A.b) var x: A? { nil }",
                "2:44: @Relationship has no meaning for the computed property 'x'", "var x: A? { nil }"
            ),
            (
                "@Attribute static var x: Int = 1",
                "2:5: @Attribute has no meaning here: static, lazy, weak, unowned and overriding properties do not belong to the entity",
                "static var x: Int = 1"
            ),
            (
                "@Ignored @Attribute(.unique) var x: Int = 1", "2:14: property 'x' is @Ignored: @Attribute has no meaning for it",
                "@Ignored var x: Int = 1"
            ),
            (
                "@Ignored var x: Int",
                "2:18: @Ignored property 'x' needs an initial value or an optional type: Core Data makes the objects",
                "@Ignored var x: Int?"
            ),
            (
                "@Attribute @Relationship(inverse: \\A.b) var x: A?",
                "2:5: property 'x' can't be both @Attribute and @Relationship",
                "@Relationship(inverse: \\A.b) var x: A?"
            ),
            (
                "@Relationship(deleteRule: .cascade) var x: String?",
                "2:5: 'x' is an attribute: a relationship leads to an @Entity class, not to String?", "var x: String?"
            ),
            (
                "@Attribute(.derived(\"now()\")) private(set) var x: Date?",
                "2:35: derived attribute 'x' has no setter: the store computes it", "@Attribute(.derived(\"now()\")) var x: Date?"
            ),
        ])
    func misplaced(property: String, diagnostic: String, corrected: String) {
        let expansion = Expansion("@Entity class Movie: NSManagedObject {\n    \(property)\n}")
        #expect(expansion.diagnostics == [diagnostic])
        #expect(expansion.corrected == ["@Entity class Movie: NSManagedObject {\n    \(corrected)\n}"])
    }

    @Test(
        "options that don't go together",
        arguments: [
            ("@Attribute(.codable, .transformable) var x: A", "2:26: an attribute can't be .codable and .transformable"),
            ("@Attribute(.transient, .unique) var x: Int", "2:28: an attribute can't be .transient and .unique"),
            (
                "@Attribute(.unique) var x: Set<A>",
                "2:16: .unique is for attributes, and a collection is a to-many relationship: use @Relationship, or .codable for a collection of values"
            ),
            (
                "@Attribute(.derived(\"now()\")) var x: Date? = .now",
                "2:48: derived attribute 'x' can't have the initial value '.now': the store computes it"
            ),
            ("@Relationship(maxCount: 3) var x: A?", "2:19: maxCount is for to-many relationships: 'x' is a to-one"),
            (
                "@Relationship(inverse: path) var x: A?",
                "2:28: the inverse must be a key path as in '\\Movie.director', the property's name as a string literal, or nil"
            ),
        ])
    func conflicts(property: String, diagnostic: String) {
        let expansion = Expansion("@Entity class Movie: NSManagedObject {\n    \(property)\n}")
        #expect(expansion.diagnostics == [diagnostic])
    }

    @Test("a relationship to the class itself without inverse, with the correction; naming one, or nil, is enough")
    func missingInverse() {
        let text = "leads to its own class and has no inverse; name one, or write '@Relationship(inverse: nil)' if there is none"
        let expansion = Expansion("@Entity class Node: NSManagedObject {\n    var parent: Node?\n    var children: [Node]\n}")
        #expect(expansion.diagnostics == ["2:9: relationship 'parent' \(text)", "3:9: relationship 'children' \(text)"])
        #expect(
            expansion.corrected.first
                == "@Entity class Node: NSManagedObject {\n    @Relationship(inverse: \\Node.children) var parent: Node?\n    var children: [Node]\n}"
        )
        #expect(Expansion(expansion.corrected.first ?? "").diagnostics == [])
        #expect(
            Expansion("@Entity class Node: NSManagedObject {\n    @Relationship(inverse: nil) var next: Node?\n}").diagnostics
                == [])
        #expect(Expansion("@Entity class Node: NSManagedObject {\n    var other: Other?\n}").diagnostics == [])
    }

    @Test("#Unique and #Index with anything but key paths", arguments: ["Unique", "Index"])
    func groups(macro: String) {
        let expansion = Expansion(
            "@Entity class Movie: NSManagedObject {\n    #\(macro)<Movie>([\\.title], paths)\n    var title: String\n}")
        #expect(
            expansion.diagnostics.map { $0.drop { $0 != " " } } == [
                " #\(macro) takes arrays of key paths, written out: #\(macro)<Movie>([\\.title, \\.year])"
            ])
    }

    @Test(
        "@Composite where it can't be",
        arguments: [
            ("@Composite class A {\n}", "1:12: @Composite belongs on a struct"),
            ("@Composite struct A<T> {\n}", "1:20: @Composite struct 'A' can't be generic"),
            ("@Composite struct A {\n    var x = 1\n}", "2:9: managed property 'x' needs a type annotation"),
            (
                "@Composite struct A {\n    var x: Set<B>\n}",
                "2:12: a composite has no relationships: 'x' belongs in an @Entity class"
            ),
            (
                "@Composite struct A {\n    @Relationship(inverse: \\B.a) var x: B?\n}",
                "2:5: a composite has no relationships: 'x' belongs in an @Entity class"
            ),
            ("@Composite struct A {\n    @Attribute(.codable) var x: B\n}", "2:16: an element of a composite can't be .codable"),
            (
                "@Composite struct A {\n    let x: Int = 1\n}",
                "2:5: element 'x' can't be a 'let' with a value: it is read from the store"
            ),
        ])
    func composite(source: String, diagnostic: String) {
        #expect(Expansion(source).diagnostics == [diagnostic])
    }

    @Test("an entity name that isn't a plain literal", arguments: ["name", "\"\\(name)\""])
    func entityName(argument: String) {
        let expansion = Expansion("@Entity(\(argument)) class Movie: NSManagedObject {\n}")
        #expect(expansion.diagnostics == ["1:9: the entity name in @Entity must be a string literal"])
    }

    @Test("a constant property, with the correction")
    func letProperty() {
        let expansion = Expansion("@Entity class Movie: NSManagedObject {\n    let title: String\n}")
        #expect(
            expansion.diagnostics == [
                "2:5: managed property 'title' can't be a 'let': its value comes from the store; write 'private(set) var' instead"
            ])
        #expect(expansion.fixIts == ["replace 'let' with 'private(set) var'"])
    }

    @Test("a property without a type; the others are still managed")
    func missingType() {
        let expansion = Expansion("@Entity class Movie: NSManagedObject {\n    var duration = 0\n    var title: String\n}")
        #expect(expansion.diagnostics == ["2:9: managed property 'duration' needs a type annotation"])
        #expect(expansion.fixIts == ["add ': Int'"])
        #expect(expansion.corrected.first?.contains("    var duration: Int = 0\n") == true)
        #expect(expansion.source.contains("_get(\"title\", Movie._typedSlotBase + 0)"))
    }

    @Test("several properties in one declaration", arguments: ["var a: Int, b: Int", "var (a, b): (Int, Int)"])
    func severalBindings(declaration: String) {
        let expansion = Expansion("@Entity class Movie: NSManagedObject {\n    \(declaration)\n}")
        #expect(
            expansion.diagnostics == [
                "2:9: declare each managed property on its own: 'var a: Int' and 'var b: Int', not 'var a: Int, b: Int'"
            ])
    }

    @Test("a property with observers")
    func observers() {
        let expansion = Expansion("@Entity class Movie: NSManagedObject {\n    var title: String { didSet { print(title) } }\n}")
        #expect(
            expansion.diagnostics == [
                "2:9: managed property 'title' can't have observers: use NSManagedObject's didChangeValue(forKey:) instead"
            ])
    }

    @Test("a stored name that isn't a plain literal")
    func storedName() {
        let expansion = Expansion("@Entity class Movie: NSManagedObject {\n    @Attribute(\"\\(x)\") var title: String\n}")
        #expect(expansion.diagnostics == ["2:16: the stored name must be a string literal without interpolation"])
    }

    @Test(
        "@Managed where there is nothing to manage",
        arguments: [
            ("@Managed var x: Int { 1 }", "2:25: managed property 'x' can't have accessors of its own: @Managed writes them"),
            (
                "@Managed var x: Int { get { 1 } set {} }",
                "2:25: managed property 'x' can't have accessors of its own: @Managed writes them"
            ),
            ("@Managed static var x: Int", "2:14: managed property 'x' can't be static"),
            ("@Managed lazy var x: Int = 1", "2:14: managed property 'x' can't be lazy, weak or unowned"),
            ("@Managed var x = 1", "2:18: managed property 'x' needs a type annotation"),
            (
                "@Managed let x: Int",
                "2:14: managed property 'x' can't be a 'let': its value comes from the store; write 'private(set) var' instead"
            ),
        ])
    func managed(property: String, diagnostic: String) {
        let expansion = Expansion("class Movie: NSManagedObject {\n    \(property)\n}")
        #expect(expansion.diagnostics == [diagnostic])
        #expect(!expansion.source.contains("_key_"))
    }

    @Test("@Managed outside a class")
    func managedOutsideClass() {
        let expansion = Expansion("struct Movie {\n    @Managed var x: Int\n}")
        #expect(expansion.diagnostics == ["2:5: @Managed belongs on a property of an NSManagedObject subclass"])
    }

    @Test(
        "R83: a property that was complained of gets accessors, or its class an initializer, so that the compiler does not go on about it",
        arguments: [
            ("@Managed lazy var x: Int", "get {"), ("@Managed static var x: Int", "get {"),
        ])
    func silencedAccessors(property: String, text: String) {
        let expansion = Expansion("class Movie: NSManagedObject {\n    \(property)\n}")
        #expect(expansion.diagnostics.count == 1 && expansion.source.contains(text))
    }

    @Test("R83: the same for classes", arguments: ["let x: Int", "@Ignored var x: Poster", "var a: Int, b: Int"])
    func silencedClasses(property: String) {
        let expansion = Expansion("@Entity public class Movie: NSManagedObject {\n    \(property)\n}")
        #expect(expansion.diagnostics.count == 1)
        #expect(
            expansion.source.contains(
                "public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {"))
        let own = Expansion(
            "@Entity public class Movie: NSManagedObject {\n    \(property)\n    required init(entity: E, insertInto c: C?) {}\n}"
        )
        #expect(!own.source.contains("context: NSManagedObjectContext?) {"))
    }

    @Test("R83: a type that was complained of is not in the schema, where the compiler would complain again")
    func leftOutOfSchema() {
        let expansion = Expansion("@Entity class Movie: NSManagedObject {\n    var x: [String]\n    var y: Int\n}")
        #expect(expansion.diagnostics.count == 1)
        #expect(!expansion.source.contains("schema.add(\"x\"") && expansion.source.contains("schema.add(\"y\""))
    }

    @Test("R83: a class without mistakes gets no such initializer")
    func notSilenced() {
        let expansion = Expansion("@Entity class Movie: NSManagedObject {\n    var x: Int = 1\n    @Ignored var y: Poster?\n}")
        #expect(!expansion.source.contains("required init"))
    }
}

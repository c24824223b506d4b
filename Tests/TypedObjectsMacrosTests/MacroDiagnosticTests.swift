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
}

import Testing

@testable import SourcePorting

@Suite("What each rule makes of a source")
struct RuleTests {
    @Test(
        "@objc, @objc(…) and @objcMembers go, with the blanks behind them, and `dynamic` with them",
        arguments: [
            ("@objc(Movie) class Movie: NSManagedObject {}", "class Movie: NSManagedObject {}"),
            ("@objcMembers public class A: B { dynamic var c = 1 }", "public class A: B { var c = 1 }"),
            ("class A { @objc public dynamic func f() {} }", "class A { public func f() {} }"),
            ("class A { @objc /* why */ func f() {} }", "class A { /* why */ func f() {} }"),
            ("class A { dynamic var c = 1 }", "class A { dynamic var c = 1 }"),
            ("@objc extension A { dynamic func f() {} }", "extension A { func f() {} }"),
            ("@nonobjc class func f() {}", "@nonobjc class func f() {}"),
            ("let s = \"@objc(Movie)\" // @objc", "let s = \"@objc(Movie)\" // @objc"),
            ("class A { @available(iOS 13, *) @objc init() {} }", "class A { @available(iOS 13, *) init() {} }"),
        ])
    func attributes(before: String, after: String) {
        #expect(port(before) == after)
    }

    @Test("They stay on enumerations, where they are known everywhere")
    func enumerations() {
        let source = "@objc public enum Kind: Int16 { @objc(KindOne) case one }"
        #expect(port(source) == source)
    }

    @Test("An attribute in a line of its own leaves an empty line, or none")
    func ownLine() {
        let source = "extension Movie {\n    @objc(addActors:) \n    @NSManaged func addToActors(_ v: NSSet)\n}\n"
        let body = "func addToActors(_ v: NSSet) { mutableSetValue(forKey: \"actors\").addObjects(from: v.allObjects) }"
        #expect(port(source) == "extension Movie {\n\n    \(body)\n}\n")
        let tidy = SourcePorter.port(source.replacing("\n", with: "\r\n"), style: .dropsEmptiedLines).text
        #expect(tidy == "extension Movie {\r\n    \(body)\r\n}\r\n")
    }

    @Test(
        "#keyPath becomes a string without the type that it begins with",
        arguments: [
            ("#keyPath(Movie.title)", #""title""#), ("#keyPath(Movie.director.name)", #""director.name""#),
            ("#keyPath(title)", #""title""#), ("#keyPath(App.Movie.title)", #""title""#), ("#keyPath(Box)", #""Box""#),
            ("#keyPath(Game.Box)", #""Box""#), ("#keyPath(Movie.`class`)", #""class""#),
            ("#keyPath(List<Movie>.first.title)", #""first.title""#), ("f(#keyPath(A.b), [#keyPath(A.c)])", #"f("b", ["c"])"#),
            ("\"\\(#keyPath(A.b)) == 1\"", "\"\\(\"b\") == 1\""),
        ])
    func keyPaths(before: String, after: String) {
        #expect(port("let k = \(before)") == "let k = \(after)")
    }

    @Test("#keyPath knows the managed properties of its own file, and what Objective-C calls them")
    func knownProperties() {
        let source = """
            class Game: NSManagedObject {
                @NSManaged var Box: Cover?
                @objc(is_seen) @NSManaged var seen: Bool
                let keys = [#keyPath(Game.Box.name), #keyPath(Game.seen)]
            }
            """
        let ported = port(source)
        #expect(ported.contains(#"let keys = ["Box.name", "is_seen"]"#))
        #expect(ported.contains(#"    @Managed("is_seen") var seen: Bool"#))
    }

    @Test("What spreads over lines keeps them, in parentheses that bind it to what follows")
    func severalLines() {
        let source = "let k = #keyPath(\n    Movie.director\n        .name\n)\nlet n = 1"
        #expect(port(source) == "let k = (\"director.name\"\n\n\n)\nlet n = 1")
        #expect(SourcePorter.port(source, style: .dropsEmptiedLines).text == "let k = \"director.name\"\nlet n = 1")
    }

    @Test(
        "Selectors of getters become strings, those of comparisons names",
        arguments: [
            ("NSStringFromSelector(#selector(getter: Movie.title))", #""title""#),
            ("NSStringFromSelector(#selector(setter: title))", #""setTitle:""#),
            ("NSStringFromSelector(#selector(Movie.add(_:to:)))", #""add:to:""#),
            ("#selector(getter: Movie.title)", #"Selector("title")"#),
            ("#selector(NSString.caseInsensitiveCompare(_:))", #"Selector("caseInsensitiveCompare:")"#),
            ("#selector(NSNumber.compare)", #"Selector("compare:")"#),
        ])
    func selectors(before: String, after: String) {
        #expect(port("let s = \(before)") == "let s = \(after)")
    }

    @Test(
        "@NSManaged properties become @Managed ones, one declaration for each",
        arguments: [
            ("@NSManaged public private(set) var a: String?", "@Managed public private(set) var a: String?"),
            ("@NSManaged dynamic var a: Int16", "@Managed var a: Int16"),
            (
                "@NSManaged public var a, b: Int16,c: Date?",
                "@Managed public var a: Int16; @Managed public var b: Int16; @Managed public var c: Date?"
            ),
            (
                "@available(*, deprecated) @NSManaged var a, b: B?",
                "@available(*, deprecated) @Managed var a: B?; @available(*, deprecated) @Managed var b: B?"
            ),
            ("@NSManaged\n    var a: Set<B>", "@Managed\n    var a: Set<B>"),
            ("@objc(b) @NSManaged var a: Bool", "@Managed(\"b\") var a: Bool"),
            ("@objc(a) @NSManaged var a: Bool", "@Managed var a: Bool"),
        ])
    func properties(before: String, after: String) {
        #expect(port("class A: NSManagedObject {\n    \(before)\n}") == "class A: NSManagedObject {\n    \(after)\n}")
    }

    @Test(
        "init(entity:insertInto:) is required, and seen by whoever sees the class",
        arguments: [
            ("class", "override init", "required init"), ("class", "private override init", "required init"),
            ("public class", "override init", "public required init"),
            ("open class", "public override init", "public required init"),
            ("public class", "fileprivate override init", "public required init"),
            ("class", "required override init", "required init"),
            ("public class", "required override init", "required public init"),
            ("package class", "override init", "package required init"),
            ("private class", "override fileprivate init", "required init"),
            ("class", "@objc override dynamic init", "required init"), ("class", "public override init", "public required init"),
        ])
    func initializers(declaration: String, before: String, after: String) {
        func source(_ start: String) -> String {
            "\(declaration) A: NSManagedObject {\n    \(start)(entity: NSEntityDescription, insertInto c: NSManagedObjectContext?) {\n    }\n}"
        }
        #expect(port(source(before)) == source(after))
    }

    @Test("API-90: the initializer of a store is required, too")
    func storeInitializers() {
        let rest =
            "init(persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL, options: [AnyHashable: Any]? = nil) {}\n}"
        #expect(
            port("class A: NSIncrementalStore {\n    override \(rest)") == "class A: NSIncrementalStore {\n    required \(rest)")
    }

    @Test(
        "R62: init(context:) is required, and seen by whoever sees the class",
        arguments: [
            ("class A: B", "convenience init", "required convenience init"),
            ("public class A: B", "convenience init", "public required convenience init"),
            ("open class A: B", "public convenience init", "public required convenience init"),
            ("class A: B", "@objc convenience init", "required convenience init"),
            ("class A: B", "required convenience init", "required convenience init"),
            ("class A", "convenience init", "convenience init"), ("extension A", "convenience init", "convenience init"),
        ])
    func contextInitializers(declaration: String, before: String, after: String) {
        func source(_ start: String) -> String {
            "\(declaration) {\n    \(start)(context: NSManagedObjectContext) {\n    }\n}"
        }
        #expect(port(source(before)) == source(after))
        let other = "class A: B {\n    convenience init(context: NSManagedObjectContext, name: String) {}\n}"
        #expect(port(other) == other)
    }

    @Test("Other overridden initializers stay")
    func otherInitializers() {
        let source = "class A: B { override init(entity: E, into c: C) {} }"
        #expect(port(source) == source)
    }

    @Test(
        "A protocol for Objective-C is one for objects",
        arguments: [
            ("@objc protocol P {}", "protocol P: AnyObject {}"), ("@objc protocol P: Q {}", "protocol P: AnyObject, Q {}"),
            ("@objc protocol P: NSObjectProtocol {}", "protocol P: NSObjectProtocol {}"),
            ("@objc public protocol P: AnyObject, Q {}", "public protocol P: AnyObject, Q {}"),
            ("protocol P {}", "protocol P {}"),
        ])
    func protocols(before: String, after: String) {
        #expect(port(before) == after)
    }

    @Test(
        "R49: casts of requests that Swift can't make go, or are checked by the compiler",
        arguments: [
            (
                "NSBatchDeleteRequest(fetchRequest: request as! NSFetchRequest<NSFetchRequestResult>)",
                "NSBatchDeleteRequest(fetchRequest: request)"
            ),
            (
                "NSBatchDeleteRequest(fetchRequest: make()\n as! NSFetchRequest< any NSFetchRequestResult > )",
                "NSBatchDeleteRequest(fetchRequest: make()\n )"
            ),
            (
                "r = Movie.fetchRequest() as! NSFetchRequest<NSFetchRequestResult>",
                "r = Movie.fetchRequest() as NSFetchRequest<NSFetchRequestResult>"
            ),
            ("a as! NSFetchRequest<Movie>", "a as! NSFetchRequest<Movie>"), ("a as! Movie", "a as! Movie"),
        ])
    func casts(before: String, after: String) {
        #expect(port(before) == after)
        #expect(messages(before) == [])
    }

    @Test("R49: a cast of another request is told")
    func otherCasts() {
        for cast in ["as!", "as?"] {
            let source = "let r = request \(cast) NSFetchRequest<NSFetchRequestResult>"
            #expect(port(source) == source)
            #expect(messages(source).count == 1 && messages(source)[0].hasPrefix("1:17 warning a request for objects of a class"))
        }
    }

    @Test("A part of Core Data is imported as the whole")
    func submodules() {
        #expect(port("import CoreData.CoreDataDefines // why") == "import CoreData // why")
        #expect(port("@_exported import CoreData") == "@_exported import CoreData")
        #expect(port("import class CoreData.NSManagedObject") == "import class CoreData.NSManagedObject")
        #expect(port("import os.log") == "import os.log")
    }

    @Test("An extension with overrides right behind its class becomes part of it")
    func overridesInExtensions() {
        let source = """
            class A: NSManagedObject {
                @NSManaged var b: Date
            } // A
            // MARK: more
            extension A: P, Q {
            }
            extension A {
                override func willSave() {}
            }
            extension A { func c() {} }
            """
        let expected = """
            class A: NSManagedObject, P, Q {
                @Managed var b: Date
             // A
            // MARK: more



                override func willSave() {}
            }
            extension A { func c() {} }
            """
        #expect(port(source) == expected)
        #expect(messages(source) == [])
    }

    @Test(
        "It stays an extension, and that is said, where something stands between them or it means something by itself",
        arguments: [
            "class A: B {}\nlet x = 1\nextension A { override func f() {} }", "extension A { override func f() {} }",
            "class A: B {}\npublic extension A { override func f() {} }",
            "class A<T>: B {}\nextension A { override func f() {} }",
            "class A: B {}\n@available(*, deprecated) extension A { override func f() {} }",
            "class A: B {}\nextension A where T: Q { override func f() {} }",
        ])
    func staysExtension(source: String) {
        #expect(port(source) == source)
        #expect(messages(source).count == 1 && messages(source)[0].contains("overriding in an extension needs Objective-C"))
    }

    @Test("What other systems never build stays as it is, and nothing is said of it")
    func conditions() {
        for condition in [
            "canImport(UIKit)", "os(iOS) || os(macOS)", "_runtime(_ObjC)", "canImport(Darwin) && DEBUG", "!_runtime(_Native)",
            "(os(tvOS))", "!(!os(watchOS))", "false",
        ] {
            let inside = "@objc class A { func f() { g(#selector(h)) } }"
            let source = "#if \(condition)\n\(inside)\n#else\n@objc class B {}\n#endif"
            #expect(port(source) == "#if \(condition)\n\(inside)\n#else\nclass B {}\n#endif", "\(condition)")
            #expect(messages(source) == [])
        }
        for condition in ["DEBUG", "canImport(CoreData)", "os(Linux) || os(iOS)", "!os(iOS) || X", "DEBUG && swift(>=5)"] {
            #expect(port("#if \(condition)\n@objc class A {}\n#endif") == "#if \(condition)\nclass A {}\n#endif", "\(condition)")
        }
        #expect(port("#if !os(macOS)\nlet a = 1\n#else\n@objc class A {}\n#endif").contains("@objc"))
        #expect(port("class A {\n#if canImport(Darwin)\n@objc\n#endif\n@objc func f() {}\n}").contains("@objc\n#endif\nfunc f"))
    }

    @Test("Other text stays byte for byte: tabs, line ends, marks at the beginning, non-Latin letters")
    func otherText() {
        let source = "\u{FEFF}// 乱\r\n\t@objc  class 映画: NSManagedObject {\r\n\t}\r\n//\u{2028}\r"
        #expect(Array(port(source).utf8) == Array("\u{FEFF}// 乱\r\n\tclass 映画: NSManagedObject {\r\n\t}\r\n//\u{2028}\r".utf8))
    }

    @Test("A source is ported once: again changes nothing; no line comes or goes; every rule was at work")
    func idempotence() {
        let ported = SourcePorter.port(SampleSource.text, style: .keepsLines)
        #expect(port(ported.text) == ported.text)
        #expect(lineCount(ported.text) == lineCount(SampleSource.text))
        #expect(Set(ported.counts.keys) == Set(PortingRule.allCases))
        let tidy = SourcePorter.port(SampleSource.text, style: .dropsEmptiedLines)
        #expect(SourcePorter.port(tidy.text, style: .dropsEmptiedLines).text == tidy.text)
        #expect(SourcePorter.port(tidy.text, style: .keepsLines).counts.isEmpty)
        #expect(tidy.counts == ported.counts && lineCount(tidy.text) < lineCount(ported.text))
    }

    @Test("A copy begins with the place of its source")
    func copies() {
        let ported = SourcePorter.port("\u{FEFF}let a = 1\n", style: .keepsLines)
        #expect(
            ported.textAsCopy(of: "/a \"b\"\\/c.swift")
                == "#sourceLocation(file: \"/a \\\"b\\\"\\\\/c.swift\", line: 1)\nlet a = 1\n")
        #expect(ported.textAsCopy(of: "/a\n/c.swift") == "let a = 1\n")
    }
}

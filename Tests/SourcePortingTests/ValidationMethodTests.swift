import Testing

@testable import SourcePorting

@Suite("Methods that check values, which Objective-C finds by name")
struct ValidationMethodTests {
    @Test("A method for one property is called by its class, and takes the value as it is")
    func method() {
        let source = """
            @objc(Movie)
            public class Movie: NSManagedObject {
                @objc public func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
                    guard let title = value.pointee as? String, title.isEmpty else { return }
                    value.pointee = nil
                }
            }
            extension Movie {
                @objc(validateLength:error:)
                func check(_ length: AutoreleasingUnsafeMutablePointer< AnyObject? >) throws { try Self.check(length.pointee) }
            }
            """
        let ported = """

            public class Movie: NSManagedObject {
                public func validateTitle(_ value: inout Any?) throws {
                    guard let title = value as? String, title.isEmpty else { return }
                    value = nil
                }
            public override func validateValue(_ value: inout Any?, forKey key: String) throws { switch key { \
            case "title", "Title": try validateTitle(&value); case "length", "Length": try check(&value); default: break }; \
            try super.validateValue(&value, forKey: key) } }
            extension Movie {

                func check(_ length: inout Any?) throws { try Self.check(length) }
            }
            """
        #expect(port(source) == ported)
        #expect(port(ported) == ported)
    }

    @Test("The method for all properties takes the value as it is, and hands it on")
    func value() {
        let pointer = "AutoreleasingUnsafeMutablePointer<AnyObject?>"
        let body = "{ if key == \"a\" { value.pointee = nil }; try super.validateValue(value, forKey: key) }"
        #expect(
            port("class A: B { override func validateValue(_ value: \(pointer), forKey key: String) throws \(body) }")
                == "class A: B { override func validateValue(_ value: inout Any?, forKey key: String) throws { if key == \"a\" { value = nil }; try super.validateValue(&value, forKey: key) } }"
        )
    }

    @Test(
        "What only looks like one stays: other names, no pointer, no @objc's form; an overridden one is the superclass's to call",
        arguments: [
            "class A: B { func validateTitle(_ value: String) throws { try f(value) } }",
            "class A: B { func validateTitle() throws {} }", "class A: B { func validateForInsert() throws {} }",
            "class A: B { func validatetitle(_ v: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {} }",
            "class A: B { func checkTitle(_ v: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {} }",
        ])
    func others(source: String) {
        #expect(port(source) == source)
    }

    @Test("An overriding method is called by the superclass")
    func overriding() {
        #expect(
            port("class A: B { override func validateC(_ v: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {} }")
                == "class A: B { override func validateC(_ v: inout Any?) throws {} }")
    }

    @Test("A method whose class is in another file, or whose class has a method for all properties, is told with its place")
    func places() {
        let method = "@objc func validateC(_ v: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}"
        #expect(
            messages("extension A {\n    \(method)\n}") == [
                "2:16 warning Objective-C finds validateC by its name: move it into the file of its class, which then calls it"
            ])
        let all = "override func validateValue(_ value: inout Any?, forKey key: String) throws {}"
        #expect(
            messages("class A: B {\n    \(method)\n    \(all)\n}") == [
                "3:19 warning Objective-C's super.validateValue would call this class's methods for single properties: call them here by `switch key`"
            ])
    }
}

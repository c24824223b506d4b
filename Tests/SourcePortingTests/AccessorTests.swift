import Testing

@testable import SourcePorting

@Suite("Accessors of to-many relationships get bodies")
struct AccessorTests {
    private func body(_ declaration: String, beside others: String = "") -> String? {
        let source = "extension Movie {\n\(others)\n@NSManaged \(declaration)\n}"
        let lines = port(source).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return lines.dropLast().last?.firstRange(of: "{").map { String(lines.dropLast().last?[$0.lowerBound...] ?? "") }
    }

    private static let set = #"mutableSetValue(forKey: "actors")"#
    private static let ordered = #"mutableOrderedSetValue(forKey: "scenes")"#

    @Test(
        "R65: the fourteen forms that Xcode writes",
        arguments: [
            ("@objc(addActorsObject:)", "func addToActors(_ value: Actor)", "\(set).add(value)"),
            ("@objc(removeActorsObject:)", "func removeFromActors(_ value: Actor)", "\(set).remove(value)"),
            ("@objc(addActors:)", "func addToActors(_ values: NSSet)", "\(set).addObjects(from: values.allObjects)"),
            (
                "@objc(removeActors:)", "func removeFromActors(_ values: NSSet)",
                "for member in values.allObjects { \(set).remove(member) }"
            ),
            (
                "@objc(insertObject:inScenesAtIndex:)", "func insertIntoScenes(_ value: Scene, at idx: Int)",
                "\(ordered).insert(value, at: idx)"
            ),
            ("@objc(removeObjectFromScenesAtIndex:)", "func removeFromScenes(at idx: Int)", "\(ordered).removeObject(at: idx)"),
            (
                "@objc(insertScenes:atIndexes:)", "func insertIntoScenes(_ values: [Scene], at indexes: NSIndexSet)",
                "\(ordered).insert(values, at: indexes as IndexSet)"
            ),
            (
                "@objc(removeScenesAtIndexes:)", "func removeFromScenes(at indexes: NSIndexSet)",
                "\(ordered).removeObjects(at: indexes as IndexSet)"
            ),
            (
                "@objc(replaceObjectInScenesAtIndex:withObject:)", "func replaceScenes(at idx: Int, with value: Scene)",
                "\(ordered).replaceObject(at: idx, with: value)"
            ),
            (
                "@objc(replaceScenesAtIndexes:withScenes:)", "func replaceScenes(at indexes: NSIndexSet, with values: [Scene])",
                "\(ordered).replaceObjects(at: indexes as IndexSet, with: values)"
            ),
            ("@objc(addScenesObject:)", "func addToScenes(_ value: Scene)", "\(ordered).add(value)"),
            ("@objc(removeScenesObject:)", "func removeFromScenes(_ value: Scene)", "\(ordered).remove(value)"),
            ("@objc(addScenes:)", "func addToScenes(_ values: NSOrderedSet)", "\(ordered).addObjects(from: values.array)"),
            (
                "@objc(removeScenes:)", "func removeFromScenes(_ values: NSOrderedSet)",
                "\(ordered).removeObjects(in: values.array)"
            ),
        ])
    func forms(attribute: String, declaration: String, statement: String) {
        let properties = "@NSManaged var actors: NSSet?\n@NSManaged var scenes: NSOrderedSet?"
        #expect(body(declaration, beside: "\(properties)\n\(attribute)") == "{ \(statement) }")
        // The Swift name alone says the same.
        #expect(body(declaration, beside: properties) == "{ \(statement) }")
    }

    @Test(
        "Forms that people write by hand",
        arguments: [
            ("func addActorsObject(_ value: Actor)", "{ \(set).add(value) }"),
            ("func removeActorsObject(_ value: Actor)", "{ \(set).remove(value) }"),
            ("func addActors(_ values: Set<Actor>)", "{ \(set).addObjects(from: Array(values)) }"),
            ("func addToActors(_ values: [Actor])", "{ \(set).addObjects(from: values) }"),
            ("func removeFromActors(_ member: NSSet)", "{ for object in member.allObjects { \(set).remove(object) } }"),
            ("func addToActors(_ value: Actor?)", "{ guard let value else { return }; \(set).add(value) }"),
            ("func addToActors(_: Actor)", "{ \(set).add(value0) }"),
            ("func insertIntoScenes(_ value: Scene, at i: UInt)", "{ \(ordered).insert(value, at: Int(i)) }"),
            ("func removeFromScenes(at i: IndexSet)", "{ \(ordered).removeObjects(at: i) }"),
        ])
    func byHand(declaration: String, expected: String) {
        let properties = "@NSManaged var actors: Set<Actor>\n@NSManaged var scenes: NSOrderedSet?"
        #expect(body(declaration, beside: properties) == expected)
    }

    @Test("A parameter without a name gets one")
    func unnamed() {
        let source = "extension A { @NSManaged func insertIntoScenes(_: Scene, at _: Int) }"
        let body = #"{ mutableOrderedSetValue(forKey: "scenes").insert(value0, at: value1) }"#
        #expect(port(source) == "extension A { func insertIntoScenes(_ value0: Scene, at value1: Int) \(body) }")
    }

    @Test(
        "The key is the property's name, or as key-value coding would have it",
        arguments: [
            ("@NSManaged var URLs: NSSet?", "func addToURLs(_ v: URL)", "URLs"), ("", "func addToURLs(_ v: URL)", "URLs"),
            ("", "func addToItems(_ v: Item)", "items"), ("@NSManaged var Items: NSSet?", "func addToItems(_ v: Item)", "Items"),
            ("@NSManaged var uRLs: NSSet?", "func addToURLs(_ v: URL)", "uRLs"),
            ("@objc(cd_items) @NSManaged var items: NSSet?", "func addToItems(_ v: Item)", "cd_items"),
        ])
    func keys(property: String, declaration: String, key: String) {
        #expect(body(declaration, beside: property)?.contains("forKey: \"\(key)\"") == true)
    }

    @Test("Whether the relationship is ordered comes from the property, from other accessors, or at run time from the model")
    func order() {
        let declaration = "func addToScenes(_ value: Scene)"
        #expect(body(declaration, beside: "@NSManaged var scenes: [Scene]") == "{ \(Self.ordered).add(value) }")
        #expect(body(declaration, beside: "@NSManaged func removeFromScenes(at i: Int)") == "{ \(Self.ordered).add(value) }")
        let set = #"mutableSetValue(forKey: "scenes")"#
        #expect(body(declaration, beside: "@NSManaged func addToScenes(_ values: NSSet)") == "{ \(set).add(value) }")
        #expect(
            body(declaration)
                == #"{ if entity.relationshipsByName["scenes"]?.isOrdered == true { \#(Self.ordered).add(value) } else { \#(set).add(value) } }"#
        )
    }

    @Test(
        "Functions of other forms are an error that names them",
        arguments: [
            "func bogus() -> Int", "func addToScenes()", "func addToScenes(_ a: A, _ b: B)", "func addtoScenes(_ v: A)",
            "func addToScenes<T>(_ v: T)", "func addToScenes(_ v: A) throws", "func address(_ v: A)", "func removed(at i: Int)",
        ])
    func others(declaration: String) {
        let source = "extension A {\n    @NSManaged \(declaration)\n}"
        #expect(port(source) == source)
        let found = messages(source)
        #expect(found.count == 1 && found[0].hasPrefix("2:21 error @NSManaged needs Objective-C, and "), "\(found)")
    }
}

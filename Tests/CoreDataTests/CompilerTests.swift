import CoreData
import TestSupport
import Testing

/// What the compiler says of code for Apple's framework, in both modes of the language.
@Suite("Code for Apple's framework as the compiler sees it")
struct CompilerTests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Errors and warnings, each without its place.
    private static func diagnostics(_ source: String, mode: Int) throws -> [String] {
        let folder = try TemporaryFolder()
        try folder.write(source, to: "Source.swift")
        let build = Bundle.main.bundleURL
        let arguments = [
            "-typecheck", "-swift-version", "\(mode)", "-I", build.appendingPathComponent("Modules").path,
            "-Xcc", "-fmodule-map-file=\(package.path)/Sources/CSQLite/module.modulemap",
            "-Xcc", "-fmodule-map-file=\(build.path)/CSwiftRuntime.build/module.modulemap",
            folder.file("Source.swift").path,
        ]
        let outcome = try runProcess("swiftc", arguments)
        let lines = Set(outcome.errorText.split(separator: "\n").map(String.init)).sorted()
        return lines.compactMap { line in
            guard line.contains("Source.swift:"), let range = line.firstRange(of: #/(error|warning): /#) else { return nil }
            return String(line[range.lowerBound...])
        }
    }

    private static let orders = [
        ["CoreData"], ["OpenCoreData"], ["Foundation", "CoreData"], ["CoreData", "Foundation"], ["Foundation", "OpenCoreData"],
        ["OpenCoreData", "Foundation"], ["Foundation", "CoreData", "OpenCoreData"],
    ]

    @Test(
        "R60: NSExpression and NSComparisonPredicate are types whatever is imported in whatever order; Foundation's deprecation is all that is said",
        arguments: orders, [5, 6])
    func names(modules: [String], mode: Int) throws {
        let source =
            modules.map { "import \($0)\n" }.joined() + """
                struct Search {
                    var left: NSExpression
                    var conditions: [NSComparisonPredicate] = []
                    init(_ key: String) { left = NSExpression(forKeyPath: key) }
                    mutating func add(_ value: Any, _ type: NSComparisonPredicate.Operator) -> NSPredicate {
                        let right: NSExpression = NSExpression(forConstantValue: value)
                        let new = NSComparisonPredicate(
                            leftExpression: left, rightExpression: right, modifier: .direct, type: type, options: [])
                        conditions.append(new)
                        return NSCompoundPredicate(andPredicateWithSubpredicates: conditions)
                    }
                }
                extension NSExpression { var isKey: Bool { expressionType == .keyPath } }
                func sum(_ key: String) -> NSExpressionDescription {
                    let description = NSExpressionDescription()
                    description.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: key)])
                    return description
                }
                """
        let allowed =
            #/warning: '(NSExpression|NSComparisonPredicate)' is deprecated: NSExpression .* swift-corelibs-foundation.*/#
        let said = try Self.diagnostics(source, mode: mode)
        #expect(said.filter { $0.wholeMatch(of: allowed) == nil } == [], "\(modules)")
        #expect(!said.isEmpty)
    }

    @Test(
        "R63: blocks that capture what is not Sendable are warned of in Swift 6 mode, as with Apple's framework, and pass in Swift 5 mode"
    )
    func preconcurrency() throws {
        let source = """
            import CoreData
            final class Counter { var count = 0 }
            func work(_ context: NSManagedObjectContext, _ container: NSPersistentContainer, _ coordinator: NSPersistentStoreCoordinator) {
                let counter = Counter()
                context.perform { counter.count += 1 }
                context.performAndWait { counter.count += 1 }
                let _: Int = context.performAndWait { counter.count }
                container.performBackgroundTask { _ in counter.count += 1 }
                coordinator.perform { counter.count += 1 }
                coordinator.performAndWait { counter.count += 1 }
            }
            """
        let before = try Self.diagnostics(source, mode: 5)
        #expect(before == [])
        // An asynchronous function is checked more strictly in Swift 5 mode, too.
        let later =
            "func later(_ context: NSManagedObjectContext, _ counter: Counter) async -> Int { await context.perform { counter.count } }"
        let said = try Self.diagnostics("\(source)\n\(later)", mode: 6)
        #expect(
            said.contains {
                $0.hasPrefix("warning: capture of 'counter' with non-Sendable type 'Counter' in a '@Sendable' closure")
            })
        #expect(!said.contains { $0.hasPrefix("error") }, "\(said)")
    }

    @Test(
        "R80: a block that returns managed objects to another actor is warned of; one that returns IDs, values or nothing is not",
        arguments: [5, 6])
    func returnedObjects(mode: Int) throws {
        func source(_ type: String, _ value: String) -> String {
            """
            import CoreData
            final class Note: NSManagedObject {}
            func one(_ context: NSManagedObjectContext) async throws -> \(type) { await context.perform { \(value) } }
            func other(_ container: NSPersistentContainer) async throws -> \(type) {
                await container.performBackgroundTask { context in \(value) }
            }
            """
        }
        let warning =
            "warning: 'METHOD' is deprecated: managed objects may be used only on their context's queue: return object IDs or values"
        for (type, value) in [
            ("Note", "Note(context: context)"), ("[Note]", "[Note(context: context)]"), ("Note?", "Note?.none"),
        ] {
            let said = try Self.diagnostics(source(type, value), mode: mode)
            for method in ["perform(schedule:_:)", "performBackgroundTask"] {
                let wanted = warning.replacingOccurrences(of: "METHOD", with: method)
                #expect(said.contains { $0.hasPrefix(wanted) }, "\(type): \(said)")
            }
        }
        for (type, value) in [("NSManagedObjectID", "Note(context: context).objectID"), ("Int", "1"), ("Void", "()")] {
            #expect(try Self.diagnostics(source(type, value), mode: mode) == [], "\(type)")
        }
    }

    @Test("The compiler finds mistakes in what is observed: the type, its properties, its conditions, and what saves can't tell")
    func observing() throws {
        func source(_ statement: String) -> String {
            """
            import CoreData
            final class Note: NSManagedObject { var text: String { "" } }
            final class Tag: NSManagedObject { var name: String { "" } }
            func observe(_ context: NSManagedObjectContext, _ container: NSPersistentContainer, _ note: Note) { _ = \(statement) }
            """
        }
        let right = [
            #"context.changes(of: Note.self).changing(\.text).saved().inserted().observe { _ = $0.map { $0.old(\.text) } }"#,
            #"context.observe(note, changing: \.text) { _ = $0.new(\.text) }"#,
            #"container.changes(of: Note.self).updated().observe { _ = $0.updated }"#,
        ]
        for statement in right { #expect(try Self.diagnostics(source(statement), mode: 6) == [], "\(statement)") }
        let wrong = [
            "context.observe(String.self) { _ in }",
            "context.changes(of: Int.self)",
            #"context.changes(of: Note.self).changing(\.name)"#,
            #"context.changes(of: Note.self).changing(\Tag.name)"#,
            "context.changes(of: Note.self).where(#Predicate<Tag> { _ in true })",
            #"context.observe(note) { _ = $0.old(\.name) }"#,
            #"container.changes(of: Note.self).changing(\.text)"#,
            "container.changes(of: Note.self).saved()",
        ]
        for statement in wrong {
            #expect(try Self.diagnostics(source(statement), mode: 6).contains { $0.hasPrefix("error") }, "\(statement)")
        }
    }
}

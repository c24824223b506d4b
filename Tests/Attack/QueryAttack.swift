import OpenCoreData
import TestSupport

/// Asks a sound store what users may have typed.
struct QueryAttack {
    let store: URL
    let model: NSManagedObjectModel
    private var random: SeededGenerator

    init(store: URL, model: NSManagedObjectModel, random: SeededGenerator) {
        (self.store, self.model, self.random) = (store, model, random)
    }

    mutating func run() throws -> String {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        do {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: store, options: [NSReadOnlyPersistentStoreOption: true])
        } catch {
            return "not opened (\((error as NSError).code))"
        }
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        var answered = 0
        for _ in 0..<6 {
            guard let entity = model.entities.randomElement(using: &random), let name = entity.name else { continue }
            let format = format(entity)
            let key = key(entity)
            let column = self.key(entity)
            let kind = Int.random(in: 0..<4, using: &random)
            let attack = self
            let isAnswered = context.run { context in
                attack.ask(context, name, format: format, key: key, column: column, kind: kind)
            }
            if isAnswered { answered += 1 }
        }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        return answered > 0 ? "some answered" : "none answered"
    }

    /// - Returns: Whether there was an answer.
    private func ask(_ context: NSManagedObjectContext, _ entity: String, format: String, key: String, column: String, kind: Int)
        -> Bool
    {
        do {
            let predicate = try NSPredicate(
                validating: format, argumentArray: ["text", 1, Date(timeIntervalSinceReferenceDate: 0), [1, 2]])
            if kind == 0 {
                let request = NSFetchRequest<NSDictionary>(entityName: entity)
                request.resultType = .dictionaryResultType
                request.predicate = predicate
                request.propertiesToFetch = [column]
                if format.utf8.count.isMultiple(of: 2) { request.propertiesToGroupBy = [column] }
                _ = try context.fetch(request)
            } else {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                request.predicate = predicate
                if kind == 1 { request.relationshipKeyPathsForPrefetching = [column] }
                if kind < 3 { request.sortDescriptors = [NSSortDescriptor(key: key, ascending: false)] }
                let found = try context.fetch(request)
                // The same in memory.
                for object in found.prefix(5) { _ = try predicate.evaluate(validating: object) }
                if kind == 3 {
                    for object in context.registeredObjects.prefix(5) { _ = try? predicate.evaluate(validating: object) }
                }
            }
            return true
        } catch {
            return false
        }
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private mutating func key(_ entity: NSEntityDescription) -> String {
        let names = entity.propertiesByName.keys.sorted()
        let name = names.isEmpty ? "x" : pick(names)
        switch Int.random(in: 0..<14, using: &random) {
        case 0: return Array(repeating: name, count: 5000).joined(separator: ".")
        case 1:
            return pick([
                "", ".", "..", "a.", "SELF", "@count", "\(name).@count", "@max.\(name)", "Z_PK", "\u{0}", "objectID", "self",
                "entity.name",
            ])
        case 2: return "\(name); DROP TABLE ZTHING; --"
        case 3: return "\"\(name)\" FROM ZTHING; --"
        case 4: return String(repeating: "x", count: 100_000)
        case 5:
            return
                "\(name).\(pick(entity.relationshipsByName.values.compactMap { $0.destinationEntity?.propertiesByName.keys.sorted().first } + ["x"]))"
        default: return name
        }
    }

    private static let evil = [
        "(a+)+$", "(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*a){25}", "((a*)*)*b", "[", "(?<=a+)b", "\\\\",
        String(repeating: "(", count: 2000), "a{1,30000}{1,30000}",
    ]

    private mutating func format(_ entity: NSEntityDescription) -> String {
        let (a, b) = (key(entity), key(entity))
        // What is repeated is short, or the text alone would fill the memory.
        let short = a.utf8.count < 100 ? a : "name"
        let evilPattern = pick(Self.evil)
        let joiner = pick([" AND ", " OR "])
        let depth = pick([3, 50, 100, 140, 1000, 5000])
        let texts: [() -> String] = [
            { "\(a) == %@" },
            { "\(a) MATCHES '\(evilPattern)'" },
            { "\(a) LIKE '\(String(repeating: "*a", count: 40))b'" },
            { "'\(String(repeating: "a", count: 40))!' MATCHES '\(evilPattern)'" },
            { "'\(String(repeating: "a", count: 5000))' LIKE '\(String(repeating: "*a", count: 40))b'" },
            { "ANY \(a).\(b) == 1" },
            { "SUBQUERY(\(a), $x, $x.\(b) > 1).@count > 0" },
            { "\(a).@count > 0" },
            { "\(a) IN %@" },
            { "\(a) BETWEEN {1, 2}" },
            { "\(a) + \(b) == 3" },
            { "\(a) ** 1e9 == 1" },
            { "\(a) / 0 == 1" },
            { "9223372036854775807 + \(a) == 1" },
            { "-9223372036854775808 - \(a) == 1" },
            { "modulus:by:(\(a), 0) == 1" },
            { "\(a) << 99999 == 0" },
            { "CAST(\(a), 'NSDate') == 1" },
            { "FUNCTION(\(a), 'performSelector:', 'x') == 1" },
            { "FUNCTION('x', 'system:') == 1" },
            { "\(a) CONTAINS[cd] 'x'" },
            { "%K == 1" },
            { "FETCH(\(a), $c, NO) == 1" },
            { "TERNARY(\(a) == 1, \(b), 2) == 3" },
            { String(repeating: "(", count: depth) + "\(short) == 1" + String(repeating: ")", count: depth) },
            { String(repeating: "NOT ", count: depth) + "\(short) == 1" },
            { Array(repeating: "\(short) == 1", count: depth).joined(separator: joiner) },
            { Array(repeating: "\(short)", count: depth).joined(separator: " + ") + " == 1" },
            {
                (0..<depth).reduce("\(short) == 1") { text, number in
                    number.isMultiple(of: 2) ? "(\(text) AND x == 1)" : "(\(text) OR y == 1)"
                }
            },
            {
                (0..<min(depth, 1000)).reduce("\(short) == 1") { text, number in
                    number.isMultiple(of: 2) ? "(\(text) AND \(short) == 2)" : "(\(text) OR \(short) == 3)"
                }
            },
            { "\(short) IN {\(Array(repeating: "1", count: 40_000).joined(separator: ","))}" },
            { "\(a) == '\(String(repeating: "x", count: 1_000_000))'" },
            { "SELF == 1" },
            { "SELF IN %@" },
            { "TRUEPREDICATE" },
            { "\(a)[0] == 1" },
            { "\(a)[FIRST].\(b) == 1" },
            { "\(a).@sum.\(b) > 1" },
            { "\(a).@distinctUnionOfObjects.\(b) CONTAINS 1" },
            { "uppercase:(\(a)) == 'X'" },
            { "\(a) == nil" },
            { "\(a) == 1e400" },
            { "now() > \(a)" },
        ]
        var text = pick(texts)()
        if text.utf8.count < 2000, Int.random(in: 0..<3, using: &random) == 0 {
            var scalars = Array(text.unicodeScalars)
            for _ in 0..<Int.random(in: 1...3, using: &random) where !scalars.isEmpty {
                let place = Int.random(in: 0..<scalars.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: scalars.remove(at: place)
                case 1: scalars[place] = Unicode.Scalar(UInt8.random(in: 0...255, using: &random))
                default:
                    scalars.insert(
                        contentsOf: pick(["(", ")", "%@", "%K", "$x", "'", "\\", "{", "@", "."]).unicodeScalars, at: place)
                }
            }
            text = String(String.UnicodeScalarView(scalars))
        }
        return text
    }
}

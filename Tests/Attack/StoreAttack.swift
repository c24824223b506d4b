import OpenCoreData
import TestSupport

/// Opens a store, reads all of it, changes it and saves: each step is to end in an error or in a right answer.
struct StoreAttack {
    enum Reading: String, CaseIterable {
        /// Accessors that don't stop: the context remembers what could not be read.
        case recorded
        /// Calls that throw.
        case throwing
        /// Accessors that stop the program, which is documented.
        case accessors
    }

    let store: URL
    let model: NSManagedObjectModel
    let reading: Reading
    let levels: Set<StoreMutation.Level>
    let random: SeededGenerator

    /// - Parameter wrong: Gets what should not have happened.
    /// - Returns: What happened, in words for counting.
    func run(_ wrong: @escaping (String) -> Void) -> String {
        _ = try? NSManagedObjectModel(cachedInStoreAt: store)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let isLenient = random.isOdd
        do {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: store,
                options: [
                    NSPersistentStoreTimeoutOption: 1, NSSQLitePragmasOption: ["synchronous": "OFF"],
                    NSIgnorePersistentStoreVersioningOption: isLenient,
                ])
        } catch {
            return "not opened (\((error as NSError).code))"
        }
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        if reading == .recorded { context.readingFailurePolicy = .record }
        let outcome = context.run { context in attack(context, wrong) }
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
        return outcome
    }

    private func attack(_ context: NSManagedObjectContext, _ wrong: @escaping (String) -> Void) -> String {
        var failed = 0
        var objects: [NSManagedObject] = []
        for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            guard let name = entity.name else { continue }
            let dictionaries = NSFetchRequest<NSDictionary>(entityName: name)
            dictionaries.resultType = .dictionaryResultType
            dictionaries.fetchLimit = 50
            do { _ = try context.fetch(dictionaries).map(\.allValues.count) } catch { failed += 1 }
            let request = NSFetchRequest<NSManagedObject>(entityName: name)
            request.includesSubentities = false
            request.fetchLimit = 50
            request.returnsObjectsAsFaults = entity.properties.count.isMultiple(of: 2)
            do {
                let count = try context.count(for: request)
                let found = try context.fetch(request)
                if count != found.count, levels.isDisjoint(with: [.bytes, .pages, .journals, .schema]) {
                    wrong("\(name): the count is \(count), but \(found.count) were found")
                }
                objects += found
            } catch { failed += 1 }
        }
        for object in objects {
            do { try readAll(object) } catch { failed += 1 }
        }
        for object in objects.prefix(3) { _ = "\(object)" }
        let read = failed == 0 ? "read" : "partly read"
        let before = rows()
        let changed = change(objects)
        do { try context.save() } catch {
            context.rollback()
            return "\(read), not saved (\((error as NSError).code))"
        }
        if let before, let after = rows() { compare(before, after, except: changed, wrong) }
        return "\(read), saved, then \(changeMuch(objects, context))"
    }

    private func readAll(_ object: NSManagedObject) throws {
        if reading == .throwing { try object.load() }
        for name in object.entity.propertiesByName.keys.sorted() {
            // Relationships are loaded by accessors only where there is no key path for them.
            if reading == .throwing, object.entity.attributesByName[name] == nil { continue }
            let value = object.value(forKey: name)
            for other in members(value).prefix(20) {
                if reading == .throwing { try other.load() }
                _ = other.value(forKey: other.entity.attributesByName.keys.sorted().first ?? "self")
            }
        }
    }

    private func members(_ value: Any?) -> [NSManagedObject] {
        switch value {
        case let object as NSManagedObject: [object]
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }

    // MARK: Changing

    /// Sets one attribute of some objects.
    ///
    /// - Returns: The tables and keys of the rows that may differ afterwards.
    private func change(_ objects: [NSManagedObject]) -> Set<String> {
        var random = random
        var changed: Set<String> = []
        for object in objects where Int.random(in: 0..<4, using: &random) == 0 && !object.isDeleted {
            let attributes = object.entity.attributesByName.values.filter {
                !$0.isTransient && $0.type != .transformable && !($0 is NSDerivedAttributeDescription)
            }
            guard let attribute = attributes.sorted(by: { $0.name < $1.name }).randomElement(using: &random),
                let value = Self.value(attribute, 7)
            else { continue }
            if reading == .throwing, (try? object.load()) == nil { continue }
            object.setValue(value, forKey: attribute.name)
            changed.insert(Self.place(object))
        }
        return changed
    }

    /// Deletes, inserts and relates objects.
    private func changeMuch(_ objects: [NSManagedObject], _ context: NSManagedObjectContext) -> String {
        var random = random
        for object in objects where Int.random(in: 0..<6, using: &random) == 0 {
            if reading == .throwing, (try? object.load()) == nil { continue }
            context.delete(object)
        }
        for entity in model.entities where !entity.isAbstract && Int.random(in: 0..<2, using: &random) == 0 {
            guard let name = entity.name else { continue }
            let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
            for attribute in entity.attributesByName.values where !attribute.isOptional && !attribute.isTransient {
                if let value = Self.value(attribute, Int(random.next() % 1000)) { object.setValue(value, forKey: attribute.name) }
            }
            for relationship in entity.relationshipsByName.values where !relationship.isOptional && !relationship.isToMany {
                let fitting = objects.first { other in
                    !other.isDeleted && (relationship.destinationEntity.map { other.entity.isKindOf(entity: $0) } ?? false)
                }
                // Who is related to the other one already is read by an accessor.
                if reading == .throwing { continue }
                object.setValue(fitting, forKey: relationship.name)
            }
        }
        do {
            try context.save()
            return "saved much"
        } catch {
            context.rollback()
            return "saved no more (\((error as NSError).code))"
        }
    }

    static func value(_ attribute: NSAttributeDescription, _ number: Int) -> Any? {
        switch attribute.type {
        case .integer16, .integer32, .integer64: number
        case .boolean: true
        case .double, .float: Double(number) / 2
        case .decimal: Decimal(number)
        case .string: "text \(number)"
        case .date: Date(timeIntervalSinceReferenceDate: Double(number))
        case .binaryData: Data([UInt8(truncatingIfNeeded: number)])
        case .uuid: UUID()
        case .uri: URL(string: "http://example.org/\(number)")
        default: nil
        }
    }

    // MARK: What nobody touched

    private static func place(_ object: NSManagedObject) -> String {
        var entity = object.entity
        while let parent = entity.superentity { entity = parent }
        // Not by the URI: the store's UUID may be one that makes no URL.
        let key = "\(object.objectID)".reversed().drop { !$0.isNumber }.prefix { $0.isNumber || $0 == "-" }
        return "Z\((entity.name ?? "").uppercased())/\(String(key.reversed()))"
    }

    /// The rows of the entities' tables by table and key; nil where the file can't be read or does not do as it is told.
    private func rows() -> [String: [String?]]? {
        guard levels.isDisjoint(with: [.bytes, .pages, .journals, .schema, .triggers]) else { return nil }
        return try? {
            let database = try Database(store)
            var result: [String: [String?]] = [:]
            for entity in model.entities where entity.superentity == nil {
                let table = "Z\((entity.name ?? "").uppercased())"
                let columns = try database.rows("PRAGMA table_info(\(table))").compactMap { $0[1] }.map { "quote(\"\($0)\")" }
                guard !columns.isEmpty else { continue }
                for row in try database.rows("SELECT Z_PK, \(columns.joined(separator: ", ")) FROM \(table) LIMIT 300") {
                    result["\(table)/\(row[0] ?? "")"] = Array(row.dropFirst())
                }
            }
            return result
        }()
    }

    private func compare(
        _ before: [String: [String?]], _ after: [String: [String?]], except changed: Set<String>, _ wrong: (String) -> Void
    ) {
        for (place, row) in before.sorted(by: { $0.key < $1.key }) where !changed.contains(place) {
            guard let now = after[place] else { return wrong("\(place) is gone") }
            if now != row {
                let differences = zip(row, now).filter { $0 != $1 }.map { "\($0.0 ?? "nil") → \($0.1 ?? "nil")".prefix(100) }
                return wrong("\(place) was changed by nobody: \(differences.joined(separator: "; "))")
            }
        }
    }
}

extension SeededGenerator {
    fileprivate var isOdd: Bool {
        var copy = self
        return copy.next() & 1 == 1
    }
}

import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite("Real stores and models of several versions are migrated, or it is explained why not", .enabled(if: Fixtures.hasOracles))
struct MigrationFixtureTests {
    struct Pair: CustomStringConvertible, Sendable {
        let older: String
        let newer: String
        var description: String { "\(older) → \(newer)" }

        static let all = [
            Pair(older: "cdp-samplemodel-v1", newer: "cdp-samplemodel-v2"),
            Pair(older: "ddg-bookmarks-v1", newer: "ddg-bookmarks-v3"),
            Pair(older: "ddg-bookmarks-v1", newer: "ddg-bookmarks-v5"),
            Pair(older: "ddg-bookmarks-v3", newer: "ddg-bookmarks-v5"),
            Pair(older: "srg-userdata-v1", newer: "srg-userdata-v2"), Pair(older: "srg-userdata-v1", newer: "srg-userdata-v5"),
            Pair(older: "srg-userdata-v2", newer: "srg-userdata-v5"),
        ]
    }

    private static func options(_ folder: URL?) -> [String: Any] {
        [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            OpenCoreDataModelFoldersOption: folder.map { [$0] } ?? [],
        ]
    }

    /// Opens a store, which migrates it, and closes it.
    private func migrate(_ url: URL, _ model: NSManagedObjectModel, _ folder: URL? = nil) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url, options: Self.options(folder))
        try coordinator.remove(store)
    }

    @Test(
        "STO-102: stores of Apple's framework keep keys, UUID and values, and get the tables of the newer store",
        arguments: Pair.all)
    func stores(_ pair: Pair) throws {
        let (older, newer) = (try StoreCase.named(pair.older), try StoreCase.named(pair.newer))
        let folder = try TemporaryFolder()
        let url = try folder.copyStore(older.fixture.store)
        let (source, destination) = (try older.model(), try newer.model())
        let golden = try older.golden()
        let mapping: NSMappingModel
        do {
            mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
        } catch let error as NSError {
            #expect(error.code == NSInferredMappingModelError)
            let thrown = #expect(throws: NSError.self) { try migrate(url, destination) }
            #expect(thrown?.localizedDescription.contains(error.userInfo["reason"] as? String ?? "?") == true)
            return
        }
        try migrate(url, destination)
        var oracle = StoreOracle()
        oracle.verify(url)
        let dump = try oracle.dump(url)
        #expect(dump.metadata.uuid == golden.metadata.uuid)
        for entity in mapping.entityMappings {
            guard let sourceName = entity.sourceEntityName, let name = entity.destinationEntityName else { continue }
            let before = golden.entities[sourceName]?.objects ?? []
            let after = Dictionary(
                uniqueKeysWithValues: (dump.entities[name]?.objects ?? []).map { ($0.id.split(separator: "/").last, $0) })
            #expect(before.count == after.count, "\(name)")
            for object in before {
                let migrated = try #require(after[object.id.split(separator: "/").last])
                for property in entity.attributeMappings ?? [] {
                    guard let key = property.name, let expression = property.valueExpression else { continue }
                    let old = "\(expression)".replacingOccurrences(of: "$source.", with: "")
                    guard let value = object.attributes[old] else { continue }
                    #expect("\(migrated.attributes[key] ?? .null)" == "\(value)", "\(object.id).\(key)")
                }
                for property in entity.relationshipMappings ?? [] {
                    guard let key = property.name, let expression = property.valueExpression else { continue }
                    let text = "\(expression)"
                    let old =
                        text.components(separatedBy: "$source.").last?.trimmingCharacters(in: CharacterSet(charactersIn: ")"))
                        ?? ""
                    guard let related = object.relationships[old] else { continue }
                    let keys = { (ids: [String]) in Set(ids.compactMap { $0.split(separator: "/").last }) }
                    #expect(
                        keys(migrated.relationships[key]?.identifiers ?? []) == keys(related.identifiers), "\(object.id).\(key)")
                }
            }
        }
        let other = try TemporaryFolder()
        try expectSameTables(url, other.copyStore(newer.fixture.store))
    }

    private func expectSameTables(_ a: URL, _ b: URL) throws {
        func tables(_ url: URL) throws -> [String: Set<String>] {
            let database = try Database(url)
            var result: [String: Set<String>] = [:]
            for case let table? in try database.rows("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap(\.first) {
                let columns = try database.rows("SELECT name || ' ' || type FROM pragma_table_info('\(table)')")
                // History is there only where it was asked for.
                if table.hasPrefix("Z") { result[table] = Set(columns.compactMap { $0[0] }) }
            }
            return result
        }
        #expect(try tables(a) == tables(b))
    }

    // MARK: Pairs of models

    private static let versions: [(URL, URL)] = {
        guard Fixtures.isAvailable else { return [] }
        return Fixtures.files(below: Fixtures.models) { $0.hasSuffix(".xcdatamodeld") }.flatMap { bundle -> [(URL, URL)] in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: bundle.path)) ?? []
            let files = names.filter { $0.hasSuffix(".xcdatamodel") }
                .sorted { $0.compare($1, options: .numeric) == .orderedAscending }.map(bundle.appendingPathComponent)
            return Array(zip(files, files.dropFirst()))
        }
    }()

    private func read(_ url: URL) throws -> NSManagedObjectModel {
        let model = try NSManagedObjectModel(readingModelAt: url)
        for entity in model.entities {
            entity.managedObjectClassName = "NSManagedObject"
            for property in entity.properties {
                property.setValidationPredicates(nil, withValidationWarnings: nil)
                (property as? NSAttributeDescription)?.valueTransformerName = nil
            }
        }
        return model
    }

    @Test(
        "Every pair of successive versions, with objects of the older one: inferred or explained, and the checker finds nothing")
    func pairs() throws {
        var counts = (migrated: 0, explained: 0)
        for (older, newer) in Self.versions {
            let place =
                "\(older.deletingLastPathComponent().lastPathComponent): \(older.lastPathComponent) → \(newer.lastPathComponent)"
            guard let source = try? read(older), let destination = try? read(newer) else { continue }
            let folder = try TemporaryFolder()
            let url = folder.file("store.sqlite")
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: source)
            guard let store = try? coordinator.addPersistentStore(type: .sqlite, at: url) else { continue }
            let count = try ModelFiller(source, coordinator).fill()
            try coordinator.remove(store)
            do {
                try migrate(url, destination)
                counts.migrated += 1
            } catch let error as NSError {
                counts.explained += 1
                let codes = [NSMigrationMissingMappingModelError, NSMigrationError, NSMigrationConstraintViolationError]
                #expect(codes.contains(error.code), "\(place): \(error)")
                #expect(error.localizedDescription.contains("“"), "\(place): \(error.localizedDescription)")
                continue
            }
            var oracle = StoreOracle()
            oracle.verify(url)
            let dump = try oracle.dump(url)
            let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
            for entity in mapping.entityMappings {
                guard let old = entity.sourceEntityName, let new = entity.destinationEntityName else { continue }
                #expect(dump.entities[new]?.count == count[old] ?? 0, "\(place): \(new)")
            }
        }
        #expect(counts.migrated > 40, "\(counts)")
    }
}

/// Makes some objects of each entity, with values for all attributes and with relationships.
private struct ModelFiller {
    private let model: NSManagedObjectModel
    private let context: NSManagedObjectContext

    init(_ model: NSManagedObjectModel, _ coordinator: NSPersistentStoreCoordinator) {
        self.model = model
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
    }

    /// - Returns: How many there are of each entity.
    func fill() throws -> [String: Int] {
        nonisolated(unsafe) let (model, context) = (model, context)
        return try context.performAndWait {
            var objects: [String: [NSManagedObject]] = [:]
            let entities = model.entities.filter { !$0.isAbstract }.sorted { ($0.name ?? "") < ($1.name ?? "") }
            for entity in entities {
                let name = entity.name ?? ""
                objects[name] = (0..<3).map { number in
                    let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
                    for attribute in entity.attributesByName.values where !attribute.isTransient {
                        if let value = Self.value(attribute, number) { object.setValue(value, forKey: attribute.name) }
                    }
                    return object
                }
            }
            for entity in entities {
                for relationship in entity.relationshipsByName.values.sorted(by: { $0.name < $1.name }) {
                    let targets = entities.filter { target in
                        relationship.destinationEntity.map { target.isKindOf(entity: $0) } ?? false
                    }.flatMap { objects[$0.name ?? ""] ?? [] }
                    guard !targets.isEmpty else { continue }
                    for (number, object) in (objects[entity.name ?? ""] ?? []).enumerated() {
                        let target = targets[number % targets.count]
                        if !relationship.isToMany {
                            object.setValue(target, forKey: relationship.name)
                        } else if relationship.isOrdered {
                            object.setValue(NSOrderedSet(object: target), forKey: relationship.name)
                        } else {
                            object.setValue(Set([target]), forKey: relationship.name)
                        }
                    }
                }
            }
            // A model with a circle of required one-to-one relationships can't be filled this way: then its store stays empty.
            do { try context.save() } catch {
                context.rollback()
                return [:]
            }
            return objects.mapValues(\.count)
        }
    }

    private static func value(_ attribute: NSAttributeDescription, _ number: Int) -> Any? {
        switch attribute.type {
        case .integer16, .integer32, .integer64: number
        case .decimal: NSDecimalNumber(value: Double(number) + 0.5)
        case .double, .float: Double(number) + 0.25
        case .boolean: number % 2 == 0
        case .string: "\(attribute.name) \(number)"
        case .date: Date(timeIntervalSinceReferenceDate: Double(number) * 1000.5)
        case .binaryData: Data([1, 2, UInt8(number)])
        case .uuid: UUID()
        case .uri: URL(string: "https://example.org/\(number)")
        case .transformable: ["number \(number)"] as NSArray
        default: nil
        }
    }
}

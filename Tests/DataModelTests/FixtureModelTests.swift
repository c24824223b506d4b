import DataModel
import Foundation
import TestSupport
import Testing

@Suite("Models of other projects", .enabled(if: Fixtures.isAvailable))
struct FixtureModelTests {
    private static var contentsFiles: [URL] {
        [Fixtures.models, Fixtures.stores].flatMap { Fixtures.files(below: $0) { $0 == "contents" } }
    }

    /// Defaults "0.0" on integers: the oracle calls them malformed, we read them as 0 and report them.
    private static let wholeNumbers: Set<String> = [
        "entities/Sale/attributes/amount/default", "entities/CachedInsulinDeliveryObject/attributes/insulinType/default",
        "entities/ForecastValue/attributes/value/default",
    ]

    private static func compare(_ model: NSManagedObjectModel, _ theirs: [String: String], _ place: String) -> Int {
        #expect(model.structuralProblems == [])
        let ours = FlatModel(model).fields
        for key in Set(ours.keys).union(theirs.keys).sorted() where ours[key] != theirs[key] {
            // A value of an app's own class, which is left out and told.
            // One file was made by hand and says no classes of values: the types have theirs.
            if key.hasSuffix("/valueClass"), theirs[key] == "null", place.contains("freecoredata") { continue }
            if theirs[key] == "s:<CoreDataPlus_Tests.Cover>", ours[key] == "null", !model.loadingIssues.isEmpty { continue }
            Issue.record("\(place): \(key): ours \(ours[key] ?? "-"), oracle's \(theirs[key] ?? "-")")
        }
        return theirs.count
    }

    @Test(
        "Every compiled model and every archive of an old editor reads as the independent reader reads it, field by field",
        .enabled(if: Fixtures.hasOracles))
    func archivesEqualOracle() throws {
        let files = [Fixtures.models, Fixtures.stores].flatMap {
            Fixtures.files(below: $0) { $0.hasSuffix(".mom") || $0 == "elements" }
        }
        #expect(files.count >= 28)
        let expected = try ModelOracle.read(files.map(\.path))
        var compared = 0
        for file in files {
            let model = try NSManagedObjectModel(readingModelAt: file)
            compared += Self.compare(model, try #require(expected[file.path]), file.path)
        }
        #expect(compared > 25_000)
    }

    @Test(
        "The model that a store keeps reads as the independent reader reads it, with the version hashes of the store",
        .enabled(if: Fixtures.hasOracles))
    func cachesEqualOracle() throws {
        let folder = try TemporaryFolder()
        var caches: [(StoreFixture, URL, Data)] = []
        for fixture in StoreFixture.all {
            guard let cache = try fixture.readCache() else { continue }
            caches.append((fixture, try folder.write(cache, to: "\(fixture.name).cache"), cache))
        }
        #expect(caches.count == 18)
        let expected = try ModelOracle.read(caches.map(\.1.path))
        var compared = 0
        for (fixture, file, cache) in caches {
            let model = NSManagedObjectModel()
            let hashes = try fixture.readVersionHashes()
            try model.read(cache: cache, hashes: hashes, from: fixture.store)
            compared += Self.compare(model, try #require(expected[file.path]), fixture.name)
            if Set(hashes.keys) == Set(model.entitiesByName.keys) { #expect(model.entityVersionHashesByName == hashes) }
        }
        #expect(compared > 20_000)
    }

    @Test("Every XML model reads as the independent reader reads it, field by field", .enabled(if: Fixtures.hasOracles))
    func equalsOracle() throws {
        let files = Self.contentsFiles
        #expect(files.count >= 243)
        let expected = try ModelOracle.read(files.map(\.path))
        var compared = 0
        var seenWholeNumbers: Set<String> = []
        for file in files {
            let model = try NSManagedObjectModel(readingModelAt: file)
            #expect(model.structuralProblems == [])
            let ours = FlatModel(model).fields
            let theirs = try #require(expected[file.path])
            for key in Set(ours.keys).union(theirs.keys).sorted() where ours[key] != theirs[key] {
                if Self.wholeNumbers.contains(key), theirs[key] == "null", ours[key] == "0" {
                    seenWholeNumbers.insert(key)
                } else {
                    Issue.record("\(file.path): \(key): ours \(ours[key] ?? "-"), oracle's \(theirs[key] ?? "-")")
                }
            }
            compared += theirs.count
        }
        #expect(compared > 190_000)
        #expect(seenWholeNumbers == Self.wholeNumbers)
    }

    @Test("The faults of the files are the model's loading issues, and nothing else is")
    func knownIssues() throws {
        var issues: [String] = []
        for file in Self.contentsFiles { issues += try NSManagedObjectModel(readingModelAt: file).loadingIssues }
        let texts = Set(issues.map { $0.drop { $0 != ":" }.dropFirst(2) })
        #expect(
            texts == [
                "Image.artist: its inverse Artist.thumbnail has the inverse Image.thumbnail",
                "Sale.amount: the default “0.0” of type Integer 16 is read as 0",
                "CachedInsulinDeliveryObject.insulinType: the default “0.0” of type Integer 16 is read as 0",
                "ForecastValue.value: the default “0.0” of type Integer 32 is read as 0",
                "TempTargetRunStored.id: the default “empy” does not fit the type UUID",
            ])
        #expect(issues.count == 10)
        #expect(issues.allSatisfy { $0.hasPrefix("line ") })
    }

    @Test("Every bundle gives the version that the independent reader chooses, or both refuse", .enabled(if: Fixtures.hasOracles))
    func bundles() throws {
        let bundles = Fixtures.files(below: Fixtures.models) { $0.hasSuffix(".xcdatamodeld") }
        #expect(bundles.count >= 120)
        let expected = try ModelOracle.read(bundles.map(\.path))
        var refused: Set<String> = []
        for bundle in bundles {
            let theirs = try #require(expected[bundle.path])
            do {
                let model = try NSManagedObjectModel(readingModelAt: bundle)
                #expect(theirs["error"] == nil, "\(bundle.path)")
                #expect(Set(model.entitiesByName.keys) == Self.entityNames(theirs), "\(bundle.path)")
            } catch {
                refused.insert(bundle.lastPathComponent)
                #expect(theirs["error"] != nil, "\(error.localizedDescription)")
            }
        }
        #expect(refused == ["CoreDataLogger.xcdatamodeld", "Model.xcdatamodeld", "RestKitCoreData.xcdatamodeld"])
    }

    private static func entityNames(_ fields: [String: String]) -> Set<String> {
        Set(
            fields.keys.filter { $0.hasPrefix("entities/") && $0.hasSuffix("/className") }.map {
                String($0.dropFirst(9).dropLast(10))
            })
    }

    @Test("A current version that is missing is named together with the bundle")
    func missingVersion() throws {
        let bundle = try #require(
            Fixtures.files(below: Fixtures.models.appendingPathComponent("kfdata")) { $0 == "Model.xcdatamodeld" }.first)
        let error = #expect(throws: NSError.self) { try NSManagedObjectModel(readingModelAt: bundle) }
        #expect(error?.code == 260)
        #expect(error?.localizedDescription.contains("Model.xcdatamodeld") == true)
        #expect(error?.localizedDescription.contains("“Model.xcdatamodel” is not in the folder") == true)
    }

    @Test("A source model and the model that Core Data cached in the store are the same model", arguments: StoreFixture.all)
    func sourceAndCache(fixture: StoreFixture) throws {
        guard let source = fixture.sourceModel, let cache = fixture.cachedModel else { return }
        let ours = try NSManagedObjectModel(readingModelAt: source)
        let cached = try ModelJSON.model(at: cache)
        #expect(Set(ours.entitiesByName.keys) == Set(cached.entitiesByName.keys))
        #expect(ours.entitiesByName.mapValues(\.structuralHash) == cached.entitiesByName.mapValues(\.structuralHash))
        for entity in cached.entities {
            let own = try #require(ours.entitiesByName[entity.name ?? ""])
            // The store has the module's name where the file has only the dot.
            if entity.managedObjectClassName != "NSManagedObject" {
                #expect(lastPart(own.managedObjectClassName) == lastPart(entity.managedObjectClassName))
            }
            #expect(own.uniquenessConstraintNames == entity.uniquenessConstraintNames)
            for (name, attribute) in entity.attributesByName {
                let ownAttribute = try #require(own.attributesByName[name])
                // CareKit sets the defaults of some attributes in code.
                if fixture.name != "carekit-2.0" {
                    #expect(ownAttribute.defaultValue as? NSObject == attribute.defaultValue as? NSObject, "\(attribute)")
                }
                #expect(ownAttribute.valueTransformerName == attribute.valueTransformerName)
            }
            for (name, relationship) in entity.relationshipsByName {
                #expect(own.relationshipsByName[name]?.deleteRule == relationship.deleteRule)
            }
        }
    }

    private func lastPart(_ className: String) -> String? {
        className.split(separator: ".").last.map(String.init)
    }
}

import DataModel
import Foundation
import TestSupport
import Testing

@Suite("Version hashes")
struct VersionHashTests {
    private func movie(_ change: (NSEntityDescription) -> Void = { _ in }) -> Data {
        let (model, movie, _) = Cinema.model()
        change(movie)
        return withExtendedLifetime(model) { movie.versionHash }
    }

    @Test("STO-72, STO-75: what a store can see changes the hash (store-format.md §12)")
    func changes() throws {
        let original = movie()
        #expect(original.count == 32)
        #expect(movie() == original)
        let changes: [(String, (NSEntityDescription) -> Void)] = [
            ("name", { $0.name = "Film" }),
            ("abstract", { $0.isAbstract = true }),
            ("modifier", { $0.versionHashModifier = "2" }),
            ("parent", { $0.relationshipsByName["director"]?.destinationEntity?.subentities = [$0] }),
            ("property removed", { $0.properties.removeLast() }),
            ("property renamed", { $0.attributesByName["title"]?.name = "name" }),
            ("optional", { $0.attributesByName["title"]?.isOptional = true }),
            ("transient", { $0.attributesByName["title"]?.isTransient = true }),
            ("type", { $0.attributesByName["title"]?.type = .binaryData }),
            ("property modifier", { $0.attributesByName["title"]?.versionHashModifier = "2" }),
            ("max count", { $0.relationshipsByName["director"]?.maxCount = 0 }),
            ("min count", { $0.relationshipsByName["director"]?.minCount = 1 }),
            ("ordered", { $0.relationshipsByName["director"]?.isOrdered = true }),
            ("inverse", { $0.relationshipsByName["director"]?.inverseRelationship = nil }),
            ("destination", { $0.relationshipsByName["director"]?.destinationEntity = $0 }),
        ]
        var hashes: Set<Data> = [original]
        for (what, change) in changes { #expect(hashes.insert(movie(change)).inserted, "\(what)") }
    }

    @Test("STO-72, STO-74: what a store cannot see leaves the hash (store-format.md §12)")
    func staysTheSame() {
        let original = movie()
        let changes: [(String, (NSEntityDescription) -> Void)] = [
            ("class", { $0.managedObjectClassName = "Other" }),
            ("user info", { $0.userInfo = ["a": "b"] }),
            ("renaming identifier", { $0.renamingIdentifier = "Film" }),
            ("default", { $0.attributesByName["title"]?.defaultValue = "x" }),
            ("transformer", { $0.attributesByName["title"]?.valueTransformerName = "T" }),
            ("delete rule", { $0.relationshipsByName["director"]?.deleteRule = .denyDeleteRule }),
            ("subentities", { $0.subentities = [NSEntityDescription()] }),
            ("order of properties", { $0.properties.reverse() }),
            (
                "transient property",
                {
                    let property = Cinema.attribute("note", .string)
                    property.isTransient = true
                    $0.properties.append(property)
                }
            ),
            ("index", { $0.indexes = [NSFetchIndexDescription(name: "i", elements: [])] }),
        ]
        for (what, change) in changes { #expect(movie(change) == original, "\(what)") }
    }

    @Test("An inherited property is part of the hash")
    func inherited() {
        let (model, movie, director) = Cinema.model()
        director.subentities = [movie]
        let before = movie.versionHash
        director.properties.append(Cinema.attribute("born", .date))
        #expect(movie.versionHash != before)
        withExtendedLifetime(model) {}
    }

    @Test("STO-56: a store's metadata with the same hashes is compatible, others are not")
    func compatibility() {
        let (model, movie, _) = Cinema.model()
        model.setEntities([movie], forConfigurationName: "Films")
        let hashes = model.entityVersionHashesByName
        func fits(_ hashes: [String: Data], _ configuration: String? = nil) -> Bool {
            model.hasVersionHashes(of: ["NSStoreModelVersionHashes": hashes], configuration: configuration) == true
        }
        #expect(fits(hashes))
        #expect(!fits(hashes, "Films"))
        #expect(fits(hashes.filter { $0.key == "Movie" }, "Films"))
        #expect(!fits(hashes.filter { $0.key == "Movie" }))
        #expect(!fits(hashes.merging(["Movie": Data(count: 32)]) { $1 }))
        #expect(!fits(hashes, "No such configuration"))
        #expect(model.hasVersionHashes(of: [:], configuration: nil) == nil)
    }

    @Test(
        "Entities that Apple's compiler gives equal hashes have equal hashes here, others different ones",
        .enabled(if: Fixtures.isAvailable))
    func samePartitionAsApple() throws {
        var pairs: [(place: String, name: String, apple: Data, ours: Data)] = []
        for info in Fixtures.files(below: Fixtures.models, where: { $0 == "VersionInfo.plist" }) {
            let plist = try? PropertyListSerialization.propertyList(from: Data(contentsOf: info), format: nil)
            guard let plist = plist as? [String: Any] else { continue }  // one is hand-made and no property list for Foundation
            let versions = plist["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]] ?? [:]
            let bundle = info.deletingLastPathComponent().deletingPathExtension().lastPathComponent + ".xcdatamodeld"
            let group = info.deletingLastPathComponent().deletingLastPathComponent()
            for (version, hashes) in versions {
                let source = group.appendingPathComponent(bundle).appendingPathComponent(version + ".xcdatamodel")
                guard FileManager.default.fileExists(atPath: source.path) else { continue }
                let ours = try NSManagedObjectModel(readingModelAt: source).entityVersionHashesByName
                #expect(Set(ours.keys) == Set(hashes.keys))
                for (name, hash) in hashes {
                    pairs.append((group.lastPathComponent + "/" + version, name, hash, ours[name] ?? Data()))
                }
            }
        }
        #expect(pairs.count > 100)
        for (index, a) in pairs.enumerated() {
            for b in pairs[..<index] where a.name == b.name && (a.apple == b.apple) != (a.ours == b.ours) {
                Issue.record(
                    "\(a.name) in \(a.place) and \(b.place): Apple's equal \(a.apple == b.apple), ours \(a.ours == b.ours)")
            }
        }
    }

    private static let pairsFile = Fixtures.root?.deletingLastPathComponent().appendingPathComponent(
        "reference/version-hash-pairs.json")

    @Test(
        "Among all known pairs of description and hash, ours are equal exactly where Apple's are",
        .enabled(if: pairsFile.map { FileManager.default.fileExists(atPath: $0.path) } ?? false))
    func knownPairs() throws {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: #require(Self.pairsFile))) as? [String: Any]
        let pairs = try #require(json?["pairs"] as? [[String: Any]])
        #expect(pairs.count >= 358)
        var apples: [Data: Set<String>] = [:]
        var ours: [String: Set<Data>] = [:]
        for pair in pairs {
            let name = try #require(pair["entity"] as? String)
            let apple = try #require(pair["hash"] as? String)
            let model = try ModelJSON.model(ofSingleEntity: name, #require(pair["description"] as? [String: Any]))
            let hash = try #require(model.entitiesByName[name]).versionHash
            apples[hash, default: []].insert(apple)
            ours[apple, default: []].insert(hash)
        }
        for (hash, texts) in apples where texts.count > 1 {
            Issue.record("\(hash.prefix(4).map { $0 }): Apple's differ \(texts)")
        }
        for (apple, hashes) in ours where hashes.count > 1 { Issue.record("\(apple): ours differ") }
    }

    @Test("Checksum and digest over Apple's hashes are those in the stores' metadata", arguments: StoreFixture.all)
    func checksums(fixture: StoreFixture) throws {
        let metadata = try #require(try fixture.readDump()["metadata"] as? [String: Any])
        let plist = try #require(metadata["plist"] as? [String: Any])
        let hashes = try fixture.readVersionHashes()
        #expect(!hashes.isEmpty)
        if let digest = plist["NSStoreModelVersionHashesDigest"] as? String {
            #expect(VersionHashes.digest(of: hashes) == digest)
        }
        if let checksum = plist["NSStoreModelVersionChecksumKey"] as? String {
            #expect(VersionHashes.checksum(of: hashes) == checksum)
        }
    }
}

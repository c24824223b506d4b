import OpenCoreData
import TestSupport

/// Reads a model that does harm, and makes a store for it where it is taken.
struct ModelAttack {
    let folder: URL
    private var random: SeededGenerator

    init(folder: URL, random: SeededGenerator) { (self.folder, self.random) = (folder, random) }

    mutating func run() -> String {
        let model: NSManagedObjectModel
        do {
            if Int.random(in: 0..<3, using: &random) == 0 {
                let file = folder.appendingPathComponent("Hostile.mom")
                try HostileArchives.model(&random).write(to: file)
                model = try NSManagedObjectModel(readingModelAt: file)
            } else {
                let file = folder.appendingPathComponent("Hostile.xcdatamodel/contents")
                try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try text().write(to: file)
                model = try NSManagedObjectModel(readingModelAt: file.deletingLastPathComponent())
            }
            // What was read can be written, or the reason is told.
            if let data = try? model.compiledData() {
                let file = folder.appendingPathComponent("Again.mom")
                try data.write(to: file)
                _ = try NSManagedObjectModel(readingModelAt: file)
            }
            _ = try? model.sourceData()
            _ = model.warnings
        } catch {
            return "not read (\((error as NSError).code))"
        }
        _ = model.entityVersionHashesByName
        guard model.entities.count < 500 else { return "read" }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        do {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.appendingPathComponent("Store.sqlite"), options: [:]
            )
        } catch {
            return "no store (\((error as NSError).code))"
        }
        defer { for store in coordinator.persistentStores { try? coordinator.remove(store) } }
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return context.run { context in
            do {
                for entity in model.entities where !entity.isAbstract {
                    let object = NSManagedObject(entity: entity, insertInto: context)
                    for attribute in entity.attributesByName.values where !attribute.isTransient {
                        if let value = StoreAttack.value(attribute, 3) { object.setValue(value, forKey: attribute.name) }
                    }
                }
                try context.save()
                for entity in model.entities {
                    guard let name = entity.name else { continue }
                    context.reset()
                    for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name)) { _ = object.description }
                }
                return "saved and read"
            } catch {
                return "not saved (\((error as NSError).code))"
            }
        }
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private mutating func text() -> Data {
        let head = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
        func model(_ content: String) -> Data {
            Data("\(head)<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">\(content)</model>".utf8)
        }
        let count = pick([10, 300, 3000])
        switch Int.random(in: 0..<24, using: &random) {
        case 0: return model((0..<count).map { "<entity name=\"E\($0)\" parentEntity=\"E\(($0 + 1) % count)\"/>" }.joined())
        case 1:
            return model(
                (0..<count).map { number in
                    "<entity name=\"E\(number)\"" + (number == 0 ? "/>" : " parentEntity=\"E\(number - 1)\"/>")
                }.joined())
        case 2:
            return model(
                (0..<count).map {
                    "<composite name=\"C\($0)\"><attribute name=\"a\" attributeType=\"Composite\" composite=\"C\(($0 + 1) % count)\"/></composite>"
                }.joined()
                    + "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Composite\" composite=\"C0\"/></entity>")
        case 3:
            // Each composite has two of the next one: two to the power of the number of composites.
            let bomb = (0..<60).map { number in
                let next = number == 59 ? "attributeType=\"String\"" : "attributeType=\"Composite\" composite=\"C\(number + 1)\""
                return "<composite name=\"C\(number)\"><attribute name=\"a\" \(next)/><attribute name=\"b\" \(next)/></composite>"
            }
            return model(
                bomb.joined() + "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Composite\" composite=\"C0\"/></entity>"
            )
        case 4 where Int.random(in: 0..<40, using: &random) == 0:
            return model((0..<100_000).map { "<entity name=\"E\($0)\"/>" }.joined())
        case 4: return model((0..<400).map { "<entity name=\"E\($0)\"/>" }.joined())
        case 5: return model(String(repeating: "<entity>", count: 50_000) + String(repeating: "</entity>", count: 50_000))
        case 6:
            return Data(
                ("<?xml version=\"1.0\"?><!DOCTYPE m [<!ENTITY a \"aaaaaaaaaa\">"
                    + (0..<12).map { "<!ENTITY a\($0) \"\(String(repeating: $0 == 0 ? "&a;" : "&a\($0 - 1);", count: 10))\">" }
                    .joined()
                    + "]><model><entity name=\"&a11;\"/></model>").utf8)
        case 7:
            return Data(
                "<?xml version=\"1.0\"?><!DOCTYPE m [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><model><entity name=\"&x;\"/></model>"
                    .utf8)
        case 8, 9, 10:
            let name = pick([
                "x VARCHAR); COMMIT; ATTACH 'PWN.DB' AS p; CREATE TABLE p.t(a); --.b", "a.b", "a b", "a\u{0}b", "\u{1F642}",
                "SELECT", "Z_PK", "z_ent", "a&quot;b", "", " ",
                String(repeating: "n", count: 20_000), "self", "objectID", "a-b", "1", "METADATA", "PRIMARYKEY", "é", "e\u{301}",
            ])
            let (a, b) = (pick([name, "Plain"]), pick([name, "plain"]))
            return model(
                "<composite name=\"\(pick([name, "C"]))\"><attribute name=\"\(pick([name, "c"]))\" attributeType=\"String\" optional=\"YES\"/></composite><entity name=\"\(a)\"><attribute name=\"\(b)\" optional=\"YES\" attributeType=\"\(pick(["String", "Integer 16", "Composite\" composite=\"C"]))\"/><relationship name=\"\(pick([name, "r"]))\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"\(a)\"/><fetchIndex name=\"\(pick([name, "i"]))\"><fetchIndexElement property=\"\(b)\" type=\"Binary\" order=\"ascending\"/></fetchIndex><uniquenessConstraints><uniquenessConstraint><constraint value=\"\(b)\"/></uniquenessConstraint></uniquenessConstraints></entity><configuration name=\"\(name)\"><memberEntity name=\"\(a)\"/></configuration>"
            )
        case 11:
            return model(
                "<entity name=\"E\">"
                    + (0..<count).map { "<attribute name=\"a\($0)\" optional=\"YES\" attributeType=\"String\"/>" }.joined()
                    + "</entity>")
        case 12:
            return model(
                "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Integer 16\" defaultValueString=\"\(pick(["99999999999", "nan", "1e400", "", "x"]))\" minValueString=\"5\" maxValueString=\"\(pick(["1", "99999999999999999999", "x"]))\"/><attribute name=\"s\" attributeType=\"String\" regularExpressionString=\"(a+)+$\" minValueString=\"-1\"/></entity>"
            )
        default:
            var data = Array(EverythingModel.xml.utf8)
            for _ in 0..<Int.random(in: 1...5, using: &random) where !data.isEmpty {
                let place = Int.random(in: 0..<data.count, using: &random)
                let end = min(data.count, place + Int.random(in: 1...30, using: &random))
                switch Int.random(in: 0..<5, using: &random) {
                case 0: data.removeSubrange(place..<end)
                case 1: data[place] = UInt8.random(in: 0...255, using: &random)
                case 2: data.insert(contentsOf: data[place..<end], at: Int.random(in: 0...data.count, using: &random))
                default:
                    // A word in another's place.
                    let words = [
                        "Document", "Thing", "Tag", "name", "YES", "NO", "String", "Composite", "Integer 64", "Cascade", "-1", "",
                        "children", "99999999999999999999",
                    ]
                    let quotes = data.indices.filter { data[$0] == UInt8(ascii: "\"") }
                    guard quotes.count > 3 else { continue }
                    let open = Int.random(in: 0..<(quotes.count - 1) / 2, using: &random) * 2
                    data.replaceSubrange((quotes[open] + 1)..<quotes[open + 1], with: pick(words).utf8)
                }
            }
            return Data(data)
        }
    }
}

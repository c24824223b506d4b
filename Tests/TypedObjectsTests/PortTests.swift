import DataModel
import Foundation
import OpenCoreData
import Predicates
import TestSupport
import Testing
import TypedObjects

@Suite("Typed classes for public models", .enabled(if: Fixtures.isAvailable))
struct PortTests {
    @Test("a model made from classes has the version hashes of the model file they were written after", arguments: Port.all)
    func versionHashes(port: Port) throws {
        // A copy, as the folder of the file may tell the hashes of Apple's compiler.
        let folder = try TemporaryFolder()
        let copy = folder.file("Model.xcdatamodel")
        try FileManager.default.copyItem(at: port.modelURL, to: copy)
        let file = try NSManagedObjectModel(readingModelAt: copy)
        let code = try NSManagedObjectModel(entities: port.entities())
        #expect(Set(code.entitiesByName.keys) == Set(file.entitiesByName.keys))
        for (name, hash) in file.entityVersionHashesByName {
            #expect(code.entityVersionHashesByName[name] == hash, "\(name)")
        }
        #expect(code.versionChecksum == file.versionChecksum)
    }

    @Test("what a hash does not tell is the same too: defaults, rules, limits, names, indexes, uniqueness", arguments: Port.all)
    func details(port: Port) throws {
        let file = try port.readModel()
        let code = try NSManagedObjectModel(entities: port.entities())
        for (name, entity) in file.entitiesByName {
            let made = try #require(code.entitiesByName[name])
            #expect(made.superentity?.name == entity.superentity?.name)
            #expect(made.isAbstract == entity.isAbstract)
            #expect(made.renamingIdentifier == entity.renamingIdentifier)
            func groups(_ entity: NSEntityDescription) -> Set<[String]> {
                Set(entity.uniquenessConstraints.map { $0.compactMap { $0 as? String } })
            }
            func indexes(_ entity: NSEntityDescription) -> Set<[String]> {
                Set(entity.indexes.map { $0.elements.compactMap(\.propertyName) })
            }
            #expect(groups(made) == groups(entity))
            #expect(indexes(made) == indexes(entity))
            for (key, property) in entity.propertiesByName where (property as? NSAttributeDescription)?.type != .undefined {
                let other = try #require(made.propertiesByName[key], "\(name).\(key)")
                #expect(other.isTransient == property.isTransient, "\(name).\(key)")
                #expect(other.renamingIdentifier == property.renamingIdentifier, "\(name).\(key)")
                #expect(
                    other.userInfo as? [String: String] ?? [:] == property.userInfo as? [String: String] ?? [:], "\(name).\(key)")
                #expect(
                    other.validationPredicates.map { ($0 as? LimitPredicate)?.text }
                        == property.validationPredicates.map { ($0 as? LimitPredicate)?.text },
                    "\(name).\(key)")
                if let property = property as? NSRelationshipDescription, let other = other as? NSRelationshipDescription {
                    #expect(other.deleteRule == property.deleteRule, "\(name).\(key)")
                }
                if let property = property as? NSAttributeDescription, let other = other as? NSAttributeDescription {
                    #expect(other.defaultValue as? NSObject == property.defaultValue as? NSObject, "\(name).\(key)")
                    #expect(other.preservesValueInHistoryOnDeletion == property.preservesValueInHistoryOnDeletion)
                    #expect(other.allowsExternalBinaryDataStorage == property.allowsExternalBinaryDataStorage)
                    #expect((other is NSDerivedAttributeDescription) == (property is NSDerivedAttributeDescription))
                }
            }
        }
    }

    @Test("the classes fit the file's model in every respect", arguments: Port.all)
    func fit(port: Port) throws {
        let file = try port.readModel()
        #expect(file.issues(for: port.entities()).filter { $0.severity == .error } == [])
        #expect(file.issues(for: port.entities()).filter { !$0.description.hasSuffix("has no inverse") } == [])
    }

    @Test(
        "every typed property of every object in a store of Apple's reads what key-value coding reads", arguments: Port.withStore)
    func read(port: Port) throws {
        let folder = try TemporaryFolder()
        try port.openStore(in: folder).run { context in
            var count = 0
            func check<Object: TypedObject>(_ type: Object.Type) throws {
                let table = try #require(TypedTable.of(type))
                for object in try context.fetch(type) {
                    count += 1
                    for (keyPath, property) in zip(table.keyPaths, table.properties) {
                        let typedPath = try #require(keyPath as? PartialKeyPath<Object>)
                        guard case .attribute(let attribute) = property.kind, attribute.type != .transformableAttributeType else {
                            if case .relationship(let relationship) = property.kind, relationship.isToMany {
                                let objects =
                                    (object.value(forKey: property.storedName) as? NSSet)?.allObjects
                                    ?? (object.value(forKey: property.storedName) as? NSOrderedSet)?.array ?? []
                                #expect((object[keyPath: typedPath] as? any Collection)?.count == objects.count)
                            }
                            continue
                        }
                        let typed = PredicateValue(object[keyPath: typedPath])
                        #expect(typed == PredicateValue(object.value(forKey: property.storedName)), "\(type).\(property.name)")
                    }
                }
            }
            for type in port.entities() { try check(type) }
            #expect(count > 0 || port.name == "CompanyPort", "only that store is empty")
        }
    }

    @Test("typed changes to a store of Apple's are there when it is opened again: inheritance, uniqueness, relationships")
    func writeCars() throws {
        let folder = try TemporaryFolder()
        let port = try #require(Port.all.first { $0.name == "CarsPort" })
        let store = try port.openStore(in: folder)
        let url = try #require(store.container.persistentStoreDescriptions.first?.url)
        let date = Date(timeIntervalSinceReferenceDate: 700_000_000)
        let before = try store.run { context in
            let before = try context.count(of: CarsPort.Car.self)
            let owner = CarsPort.Person(context: context, id: UUID(), updatedAt: date, firstName: "Grace", lastName: "Hopper")
            let car = CarsPort.ExpensiveSportCar(context: context, numberPlate: "GH-1", maker: "Bugatti")
            car.isLimitedEdition = true
            car.owner = owner
            #expect(owner.cars == [car])
            try context.save()
            return before
        }
        try port.open(url).run { context in
            #expect(try context.count(of: CarsPort.Car.self) == before + 1)
            let car = try #require(try context.fetch(CarsPort.ExpensiveSportCar.self, where: \.numberPlate == "GH-1").first)
            #expect(car.maker == "Bugatti")
            #expect(car.isLimitedEdition == true)
            #expect(car.owner?.lastName == "Hopper")
            #expect(car.owner?.updatedAt == date)
            context.delete(car)
            try context.save()
            #expect(try context.count(of: CarsPort.Car.self) == before)
        }
    }

    @Test("an ordered relationship of a store of Apple's keeps the order that it is given (B27)")
    func writeBookmarks() throws {
        let folder = try TemporaryFolder()
        let port = try #require(Port.all.first { $0.name == "BookmarksPort" })
        let store = try port.openStore(in: folder)
        let url = try #require(store.container.persistentStoreDescriptions.first?.url)
        let order = try store.run { context in
            let root = try #require(try context.fetch(BookmarksPort.BookmarkEntity.self, where: \.uuid == "bookmarks_root").first)
            root.children.swapAt(0, 2)
            try context.save()
            return root.children.map(\.uuid)
        }
        #expect(order.count > 2)
        try port.open(url).run { context in
            let root = try #require(try context.fetch(BookmarksPort.BookmarkEntity.self, where: \.uuid == "bookmarks_root").first)
            #expect(root.children.map(\.uuid) == order)
        }
    }
}

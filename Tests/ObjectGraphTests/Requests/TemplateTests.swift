import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

@Suite("Fetch request templates and fetched properties")
struct TemplateTests {
    private static let contents = """
        <?xml version="1.0" encoding="UTF-8"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Person" representedClassName="GraphTestSupport.Recorder">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="age" optional="YES" attributeType="Integer 32"/>
                <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="members" inverseEntity="Team"/>
                <fetchedProperty name="namesakes" optional="YES">
                    <fetchRequest name="fetchedPropertyFetchRequest" entity="Person"
                        predicateString="name == $FETCH_SOURCE.name AND SELF != $FETCH_SOURCE"/>
                </fetchedProperty>
                <fetchedProperty name="broken" optional="YES">
                    <fetchRequest name="fetchedPropertyFetchRequest" entity="Person" predicateString="name === 3"/>
                </fetchedProperty>
            </entity>
            <entity name="Team" representedClassName="GraphTestSupport.Recorder">
                <attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="members" optional="YES" toMany="YES" destinationEntity="Person" inverseName="team" inverseEntity="Person"/>
                <fetchedProperty name="elders" optional="YES">
                    <fetchRequest name="fetchedPropertyFetchRequest" entity="Person" predicateString="team == $FETCH_SOURCE AND age &gt; 60"/>
                </fetchedProperty>
            </entity>
            <fetchRequest name="older" entity="Person" predicateString="age &gt; $AGE AND name != $NAME" fetchLimit="5" fetchBatchSize="20"/>
            <fetchRequest name="ids" entity="Person" resultType="1" includeSubentities="NO" returnDistinctResults="YES"/>
            <fetchRequest name="rows" entity="Person" resultType="2"/>
            <fetchRequest name="wrong" entity="Person" predicateString="age &gt;"/>
            <fetchRequest name="lost" entity="Nobody"/>
        </model>
        """

    private static func model() throws -> NSManagedObjectModel {
        let folder = try TemporaryFolder()
        return try NSManagedObjectModel(readingModelAt: try folder.write(contents, to: "contents"))
    }

    // MARK: Templates

    @Test("PRD-191: templates are read from the model's file; one with a predicate that can't be read is left out and reported")
    func reading() throws {
        let model = try Self.model()
        #expect(model.fetchRequestTemplatesByName.keys.sorted() == ["ids", "lost", "older", "rows"])
        let older = try #require(model.fetchRequestTemplate(forName: "older"))
        #expect(older.entity === model.entitiesByName["Person"] && older.fetchLimit == 5 && older.fetchBatchSize == 20)
        #expect(older.resultType == .managedObjectResultType && older.includesSubentities && older.includesPropertyValues)
        let ids = try #require(model.fetchRequestTemplate(forName: "ids"))
        #expect(ids.resultType == .managedObjectIDResultType && !ids.includesSubentities && ids.returnsDistinctResults)
        #expect(!ids.includesPropertyValues && ids.includesPendingChanges && ids.predicate == nil)
        #expect(model.fetchRequestTemplate(forName: "rows")?.includesPendingChanges == false)
        let issues = model.loadingIssues.joined(separator: "\n")
        #expect(model.loadingIssues.count == 3)
        #expect(issues.contains("“wrong”") && issues.contains("Person.broken") && issues.contains("“Nobody”"))
    }

    @Test("PRD-190, PRD-191: a template gets values in place of its variables and stays as it is; an unknown name gives nil")
    func substitution() throws {
        let model = try Self.model()
        let stack = try TestStack(.sqlite, model)
        try stack.run { context throws in
            for (name, age) in [("a", 20), ("b", 40), ("c", 60)] { context.make("Person", ["name": name, "age": age]) }
            try context.save()
            let variables: [String: Any] = ["AGE": 30, "NAME": "c"]
            let request = try #require(model.fetchRequestFromTemplate(withName: "older", substitutionVariables: variables))
            #expect((try context.fetch(request) as? [Recorder])?.map { $0.text("name") } == ["b"])
            let nobody = try #require(
                model.fetchRequestFromTemplate(withName: "older", substitutionVariables: ["AGE": 30, "NAME": NSNull()]))
            #expect(try context.fetch(nobody).count == 2)
        }
        let untouched = NSPredicate(format: "age > $AGE AND name != $NAME")
        #expect(model.fetchRequestTemplate(forName: "older")?.predicate?.isEqual(untouched) == true)
        #expect(model.fetchRequestFromTemplate(withName: "none", substitutionVariables: [:]) == nil)
        #expect(model.fetchRequestFromTemplate(withName: "ids", substitutionVariables: [:])?.predicate == nil)
    }

    @Test("PRD-190: a variable without value stops the program")
    func missingVariable() async {
        await #expect(processExitsWith: .failure) {
            let model = NSManagedObjectModel()
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
            request.predicate = NSPredicate(format: "age > $AGE")
            model.setFetchRequestTemplate(request, forName: "older")
            _ = model.fetchRequestFromTemplate(withName: "older", substitutionVariables: [:])
        }
    }

    @Test("PRD-192: the variable of a subquery is not substituted")
    func subquery() throws {
        let model = People.model()
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Team")
        request.predicate = NSPredicate(format: "SUBQUERY(members, $x, $x.age > $AGE).@count > 1")
        model.setFetchRequestTemplate(request, forName: "grown")
        let stack = try TestStack(.sqlite, model)
        try stack.run { context throws in
            try Crew.fill(context)
            let grown = try #require(
                model.fetchRequestFromTemplate(withName: "grown", substitutionVariables: ["AGE": 21, "x": 5]))
            #expect((try context.fetch(grown) as? [Recorder])?.map { $0.text("name") } == ["blue"])
        }
    }

    @Test("Templates made in code are copies, and a model's copy has them")
    func templatesInCode() throws {
        let model = People.model()
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = model.entitiesByName["Person"]
        request.fetchLimit = 3
        model.setFetchRequestTemplate(request, forName: "some")
        request.fetchLimit = 4
        model.fetchRequestTemplate(forName: "some")?.fetchLimit = 5
        #expect(model.fetchRequestTemplate(forName: "some")?.fetchLimit == 3)
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        #expect(copy.fetchRequestTemplate(forName: "some")?.entity === copy.entitiesByName["Person"])
        model.setFetchRequestTemplate(nil, forName: "some")
        #expect(model.fetchRequestTemplatesByName.isEmpty && copy.fetchRequestTemplatesByName.count == 1)
    }

    // MARK: Fetched properties

    @Test("API-144: fetched properties are read from the model's file, and are never stored")
    func fetchedPropertyDescriptions() throws {
        let model = try Self.model()
        let person = try #require(model.entitiesByName["Person"])
        let property = try #require(person.propertiesByName["namesakes"] as? NSFetchedPropertyDescription)
        #expect(property.isTransient && property.isOptional && property.fetchRequest?.entityName == "Person")
        #expect((person.propertiesByName["broken"] as? NSFetchedPropertyDescription)?.fetchRequest == nil)
        let without = try #require(model.copy() as? NSManagedObjectModel)
        for entity in without.entities { entity.properties = entity.properties.filter { !($0 is NSFetchedPropertyDescription) } }
        #expect(without.entityVersionHashesByName == model.entityVersionHashesByName)
    }

    @Test(
        "OG-96, PRD-193: a fetched property finds by $FETCH_SOURCE, and keeps what it found until the object is refreshed",
        arguments: StackKind.allCases)
    func fetchedProperty(_ kind: StackKind) throws {
        let stack = try TestStack(kind, try Self.model())
        try stack.run { context throws in
            let team = context.make("Team", ["name": "red"])
            let old = context.make("Person", ["name": "a", "age": 70, "team": team])
            let other = context.make("Person", ["name": "a", "age": 70])
            context.make("Person", ["name": "b", "age": 20, "team": team])
            try context.save()
            func elders() -> [NSManagedObject]? { team.value(forKey: "elders") as? [NSManagedObject] }
            #expect(elders() == [old])
            #expect(old.value(forKey: "namesakes") as? [NSManagedObject] == [other])
            #expect(old.value(forKey: "broken") as? [NSManagedObject] == [])
            #expect(!context.hasChanges && team.changedValues().isEmpty)
            other.set("team", team)
            #expect(elders() == [old], "looked up once")
            context.refresh(team, mergeChanges: true)
            #expect(Set(elders() ?? []) == [old, other], "unsaved changes count")
            other.set("age", 10)
            context.refreshAllObjects()
            #expect(elders() == [old])
            try context.save()
            context.refresh(team, mergeChanges: false)
            #expect(elders() == [old])
            let teamID = team.objectID
            context.reset()
            let again = context.object(with: teamID)
            #expect((again.value(forKey: "elders") as? [NSManagedObject])?.map { $0.text("name") } == ["a"])
        }
    }

    @Test(
        "R44, STO-201: a fetched property's predicate asks for what its description says, for what that says when it is executed",
        arguments: StackKind.allCases)
    func descriptionsByKey(_ kind: StackKind) throws {
        let model = People.model()
        let person = try #require(model.entitiesByName["Person"])
        func add(_ name: String, _ format: String) -> NSFetchedPropertyDescription {
            let property = NSFetchedPropertyDescription()
            property.name = name
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
            request.predicate = NSPredicate(format: format)
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            property.fetchRequest = request
            property.userInfo?["search"] = "a"
            property.userInfo?["nested"] = ["age": 1]
            person.properties.append(property)
            return property
        }
        let found = add("found", "name BEGINSWITH $FETCHED_PROPERTY.userInfo.search")
        _ = add("nested", "age == $FETCHED_PROPERTY.userInfo.nested.age AND $FETCHED_PROPERTY.name == 'nested'")
        _ = add("source", "age >= $FETCH_SOURCE.age AND $FETCHED_PROPERTY.entity.name == $FETCH_SOURCE.entity.name")
        _ = add("nothing", "name == $FETCHED_PROPERTY.userInfo.unknown")
        try TestStack(kind, model).run { context throws in
            let a = context.make("Person", ["name": "a", "age": 1])
            context.make("Person", ["name": "ab", "age": 2])
            context.make("Person", ["name": "b", "age": 3])
            try context.save()
            func names(_ key: String) -> [String]? {
                (a.value(forKey: key) as? [NSManagedObject])?.compactMap { $0.text("name") }
            }
            #expect(names("found") == ["a", "ab"])
            #expect(names("nested") == ["a"])
            #expect(names("source") == ["a", "ab", "b"])
            #expect(names("nothing") == [])
            // In use the model is immutable, but for this.
            found.userInfo?["search"] = "b"
            #expect(names("found") == ["a", "ab"], "looked up once")
            context.refresh(a, mergeChanges: true)
            #expect(names("found") == ["b"])
        }
    }

    @Test("PRD-193: $FETCHED_PROPERTY is the description; a request of the property's own is a copy")
    func fetchedPropertyVariable() throws {
        let model = People.model()
        let property = NSFetchedPropertyDescription()
        property.name = "peers"
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
        request.predicate = NSPredicate(block: { _, _ in true })
        request.predicate = NSPredicate(format: "$FETCHED_PROPERTY != nil AND age == $FETCH_SOURCE.age AND SELF != $FETCH_SOURCE")
        property.fetchRequest = request
        request.predicate = NSPredicate(value: false)
        let person = try #require(model.entitiesByName["Person"])
        person.properties.append(property)
        try TestStack(.inMemory, model).run { context throws in
            let a = context.make("Person", ["name": "a", "age": 1])
            let b = context.make("Person", ["name": "b", "age": 1])
            context.make("Person", ["name": "c", "age": 2])
            #expect(a.value(forKey: "peers") as? [NSManagedObject] == [b])
        }
    }
}

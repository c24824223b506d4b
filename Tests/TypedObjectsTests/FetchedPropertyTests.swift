import Foundation
import OpenCoreData
import TestSupport
import Testing

enum Kitchen: String {
    case french, japanese
}

@Entity class Recipe: NSManagedObject {
    @FetchedProperty(
        "kitchen == $FETCH_SOURCE.kitchen AND SELF != $FETCH_SOURCE",
        sortedBy: [NSSortDescriptor(key: "label", ascending: false)],
        limit: 2)
    var similar: [Recipe]
    @Attribute("label") var name: String
    var kitchen: Kitchen = .french
    @FetchedProperty("hand.recipes CONTAINS $FETCH_SOURCE", storedName: "desserts") var sweets: [Dessert]
    var cook: Cook?
}

@Entity final class Dessert: Recipe {
    var sugar: Double?
    @FetchedProperty var cooks: [Cook]
    @Relationship(inverse: \Cook.desserts) var hand: Cook?
}

@Entity final class Cook: NSManagedObject {
    @Relationship(inverse: \Recipe.cook) var recipes: Set<Recipe>
    var desserts: Set<Dessert>
}

@Entity final class BadRecipe: NSManagedObject {
    @FetchedProperty("name ==") var unreadable: [BadRecipe]
    @FetchedProperty("nam == $FETCH_SOURCE.name", sortedBy: [NSSortDescriptor(key: "age", ascending: true)])
    var misspelt: [BadRecipe]
    @FetchedProperty var strangers: [Nothing]
    var name: String?
}

/// The same entity as a class written by hand.
class OldRecipe: NSManagedObject {
    @Managed @FetchedProperty var similar: [OldRecipe]
    // As in code for Apple's framework, which knows of fetched properties from the model alone.
    @Managed("similar") var found: [OldRecipe]
    @Managed("similar") var foundIfAny: [OldRecipe]?
    @Managed("similar") var objects: NSArray?
    @Managed("label") var name: String?
}

@Suite("Fetched properties of classes")
struct FetchedPropertyTests {
    private static let types: [any TypedObject.Type] = [Recipe.self, Dessert.self, Cook.self]

    private static func description(_ name: String, _ entity: String, _ model: NSManagedObjectModel) throws
        -> NSFetchedPropertyDescription
    {
        try #require(model.entitiesByName[entity]?.propertiesByName[name] as? NSFetchedPropertyDescription)
    }

    @Test("a model made from classes has their descriptions, with format, order and limit; the stores don't know of them")
    func descriptions() throws {
        let model = try NSManagedObjectModel(entities: Self.types)
        let similar = try Self.description("similar", "Recipe", model)
        let request = try #require(similar.fetchRequest)
        #expect(request.entityName == "Recipe" && request.fetchLimit == 2)
        #expect(request.predicate == NSPredicate(format: "kitchen == $FETCH_SOURCE.kitchen AND SELF != $FETCH_SOURCE"))
        #expect(request.sortDescriptors?.map(\.key) == ["label"] && request.sortDescriptors?.map(\.ascending) == [false])
        #expect(try Self.description("cooks", "Dessert", model).fetchRequest?.predicate == nil)
        #expect(try Self.description("desserts", "Recipe", model).fetchRequest?.entityName == "Dessert")
        let without = try #require(model.copy() as? NSManagedObjectModel)
        for entity in without.entities { entity.properties.removeAll { $0 is NSFetchedPropertyDescription } }
        #expect(without.entityVersionHashesByName == model.entityVersionHashesByName)
    }

    @Test(
        "OG-96, PRD-193: the property has what the format finds by $FETCH_SOURCE, in order, and keeps it until the object is refreshed",
        arguments: [false, true])
    func reading(isFile: Bool) throws {
        let folder = try TemporaryFolder()
        let container = try NSPersistentContainer(name: "Recipes", entities: Self.types)
        try TestStore(container, at: isFile ? folder.file("recipes.sqlite") : nil).run {
            (context: NSManagedObjectContext) throws in
            let cook = Cook(context: context)
            let tart = Dessert(context: context, name: "tart", cook: cook)
            (tart.sugar, tart.hand) = (2, cook)
            let soup = Recipe(context: context, name: "soup", cook: cook)
            _ = Recipe(context: context, name: "egg")
            _ = Recipe(context: context, name: "bread")
            _ = Recipe(context: context, name: "ramen", kitchen: .japanese)
            #expect(tart.name == "tart" && tart.sugar == 2 && tart.hand == cook && tart.cook == cook)
            #expect(tart.similar.map(\.name) == ["soup", "egg"], "the limit is two")
            #expect(tart.cooks == [cook] && soup.sweets == [tart])
            try context.save()
            #expect(!tart.hasChanges && tart.changedValues().isEmpty)
            soup.kitchen = .japanese
            #expect(tart.similar.map(\.name) == ["soup", "egg"], "kept")
            context.refresh(tart, mergeChanges: true)
            #expect(tart.similar.map(\.name) == ["egg", "bread"], "unsaved changes count")
            #expect(tart.value(forKey: "similar") as? [Recipe] == tart.similar)
            #expect(tart.value(ifSet: \.similar)?.count == 2)
        }
    }

    @Test(
        "objects that find each other don't keep each other: those that nobody holds are faults when the property is read again",
        arguments: [false, true])
    func lifetime(isFile: Bool) throws {
        let folder = try TemporaryFolder()
        let container = try NSPersistentContainer(name: "Recipes", entities: Self.types)
        let store = try TestStore(container, at: isFile ? folder.file("recipes.sqlite") : nil)
        try store.run { context throws in
            for name in ["soup", "egg", "tart"] { _ = Recipe(context: context, name: name) }
            try context.save()
        }
        try store.fresh { context throws in
            let soup = try #require(try context.fetch(Recipe.self, where: \.name == "soup").first)
            do {
                let (tart, egg) = (soup.similar[0], soup.similar[1])
                #expect(tart.similar == [soup, egg] && egg.similar == [tart, soup])
                #expect(soup.similar == [tart, egg] && context.registeredObjects.count == 3)
            }
            #expect(context.registeredObjects == [soup])
            let again = soup.similar
            #expect(again.allSatisfy(\.isFault) && again.map(\.name) == ["tart", "egg"] && again == soup.similar)
        }
        try store.fresh { context throws in
            // Found before they are saved, and by nobody held afterwards.
            let bread = Recipe(context: context, name: "bread", kitchen: .japanese)
            _ = Recipe(context: context, name: "ramen", kitchen: .japanese)
            let lost = Recipe(context: context, name: "lost", kitchen: .japanese)
            #expect(bread.similar.map(\.name) == ["ramen", "lost"])
            context.delete(lost)
            try context.save()
            #expect(context.registeredObjects.subtracting([bread, lost]).isEmpty)
            #expect(bread.similar.first?.name == "ramen")
        }
    }

    @Test("formats and names that can't be right, and classes that are not in the model, are errors when the model is made")
    func mistakes() throws {
        let error = #expect(throws: NSError.self) { try NSManagedObjectModel(BadRecipe.self) }
        let details = (error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []).map(\.localizedDescription)
        #expect(details.count == 4)
        let prefix = "BadRecipe.unreadable: Swift type [BadRecipe], but its format “name ==” can't be read:"
        #expect(details.first?.hasPrefix(prefix) == true)
        #expect(
            details.dropFirst() == [
                "BadRecipe.strangers: Swift type [Nothing], but Nothing is not among the model's entities: make it an @Entity class and pass it as well",
                "BadRecipe.misspelt: Swift type [BadRecipe], but it asks for “age”, which is not a property of “BadRecipe”",
                "BadRecipe.misspelt: Swift type [BadRecipe], but it asks for “nam”, which is not a property of “BadRecipe”",
            ])
    }

    private static func file(similar: String, in folder: TemporaryFolder) throws -> NSManagedObjectModel {
        let contents = """
            <?xml version="1.0" encoding="UTF-8"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="Recipe" representedClassName="Recipe">
                    <attribute name="label" attributeType="String"/>
                    <attribute name="kitchen" attributeType="String" defaultValueString="french"/>
                    <relationship name="cook" optional="YES" maxCount="1" destinationEntity="Cook" inverseName="recipes" inverseEntity="Cook"/>
                    \(similar)
                    <fetchedProperty name="desserts" optional="YES">
                        <fetchRequest name="fetchedPropertyFetchRequest" entity="Dessert" predicateString="hand.recipes CONTAINS $FETCH_SOURCE"/>
                    </fetchedProperty>
                </entity>
                <entity name="Dessert" parentEntity="Recipe" representedClassName="Dessert">
                    <attribute name="sugar" optional="YES" attributeType="Double"/>
                    <relationship name="hand" optional="YES" maxCount="1" destinationEntity="Cook" inverseName="desserts" inverseEntity="Cook"/>
                    <fetchedProperty name="cooks"><fetchRequest name="fetchedPropertyFetchRequest" entity="Cook"/></fetchedProperty>
                </entity>
                <entity name="Cook" representedClassName="Cook">
                    <relationship name="recipes" optional="YES" toMany="YES" destinationEntity="Recipe" inverseName="cook" inverseEntity="Recipe"/>
                    <relationship name="desserts" optional="YES" toMany="YES" destinationEntity="Dessert" inverseName="hand" inverseEntity="Dessert"/>
                </entity>
            </model>
            """
        return try NSManagedObjectModel(readingModelAt: try folder.write(contents, to: "contents"))
    }

    private static func fetched(_ entity: String, _ predicate: String) -> String {
        "<fetchedProperty name=\"similar\"><fetchRequest name=\"f\" entity=\"\(entity)\" predicateString=\"\(predicate)\"/></fetchedProperty>"
    }

    @Test("with a model from a file the file's request holds; another format is an error under strict checking only")
    func modelFromFile() throws {
        let folder = try TemporaryFolder()
        let model = try Self.file(similar: Self.fetched("Recipe", "kitchen != $FETCH_SOURCE.kitchen"), in: folder)
        let issues = model.issues(for: Self.types)
        #expect(
            issues.map(\.description) == [
                "Recipe.similar: the class fetches “kitchen == $FETCH_SOURCE.kitchen AND SELF != $FETCH_SOURCE”, the model “kitchen != $FETCH_SOURCE.kitchen”"
            ])
        #expect(throws: NSError.self) {
            try NSPersistentContainer(name: "x", managedObjectModel: model, checking: .strict, entities: Self.types)
        }
        let container = try NSPersistentContainer(name: "x", managedObjectModel: model, entities: Self.types)
        try TestStore(container).run { (context: NSManagedObjectContext) throws in
            let soup = Recipe(context: context, name: "soup")
            let ramen = Recipe(context: context, name: "ramen", kitchen: .japanese)
            #expect(soup.similar == [ramen] && soup.name == "soup" && ramen.kitchen == .japanese)
        }
    }

    @Test(
        "a property of the model that finds something else, or is none, is a mismatch when the model is loaded",
        arguments: [
            (fetched("Cook", "TRUEPREDICATE"), "model type fetched property of “Cook”"),
            ("<attribute name=\"similar\" attributeType=\"String\"/>", "model type String"),
            ("", "the entity “Recipe” has no property “similar”"),
        ])
    func mismatch(property: String, text: String) throws {
        let model = try Self.file(similar: property, in: try TemporaryFolder())
        let error = #expect(throws: NSError.self) {
            try NSPersistentContainer(name: "x", managedObjectModel: model, entities: Self.types)
        }
        #expect(error?.localizedDescription.contains("Recipe.similar: Swift type [Recipe], \(text)") == true)
    }

    @Test("a class written by hand reads it by @Managed")
    func handWritten() throws {
        let model = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "OldRecipe"
        entity.managedObjectClassName = NSStringFromClass(OldRecipe.self)
        let label = NSAttributeDescription()
        (label.name, label.type) = ("label", .string)
        let similar = NSFetchedPropertyDescription()
        similar.name = "similar"
        similar.fetchRequest = NSFetchRequest<any NSFetchRequestResult>(entityName: "OldRecipe")
        similar.fetchRequest?.predicate = NSPredicate(value: true)
        entity.properties = [label, similar]
        model.entities = [entity]
        try TestStore(NSPersistentContainer(name: "x", managedObjectModel: model)).run {
            (context: NSManagedObjectContext) throws in
            let recipe = OldRecipe(context: context)
            recipe.name = "a"
            #expect(recipe.similar == [recipe] && recipe.name == "a")
            #expect(recipe.found == [recipe] && recipe.foundIfAny == [recipe] && recipe.objects == [recipe])
        }
    }
}

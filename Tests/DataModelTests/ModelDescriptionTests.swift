import DataModel
import Foundation
import TestSupport
import Testing

@Suite("Model descriptions")
struct ModelDescriptionTests {
    @Test("New descriptions have Apple's defaults (API-128, API-130, API-136, API-142)")
    func defaults() {
        let entity = NSEntityDescription()
        #expect(entity.name == nil)
        #expect(entity.managedObjectClassName == "NSManagedObject")
        #expect(!entity.isAbstract)
        #expect(entity.uniquenessConstraints.isEmpty)
        let attribute = NSAttributeDescription()
        #expect(attribute.isOptional)
        #expect(!attribute.isTransient)
        #expect(attribute.attributeType == .undefinedAttributeType)
        let relationship = NSRelationshipDescription()
        #expect(relationship.deleteRule == .nullifyDeleteRule)
        #expect(relationship.maxCount == 0)
        #expect(relationship.minCount == 0)
        #expect(relationship.isToMany)
        #expect(!relationship.isOrdered)
        #expect(NSCompositeAttributeDescription().type == .composite)
    }

    @Test("API-138: both notations of a type agree, and set the value class (API-139)")
    func types() {
        let classes: [(NSAttributeType, NSAttributeDescription.AttributeType, String?)] = [
            (.integer16AttributeType, .integer16, "NSNumber"), (.integer32AttributeType, .integer32, "NSNumber"),
            (.integer64AttributeType, .integer64, "NSNumber"), (.decimalAttributeType, .decimal, "NSDecimalNumber"),
            (.doubleAttributeType, .double, "NSNumber"), (.floatAttributeType, .float, "NSNumber"),
            (.stringAttributeType, .string, "NSString"), (.booleanAttributeType, .boolean, "NSNumber"),
            (.dateAttributeType, .date, "NSDate"), (.binaryDataAttributeType, .binaryData, "NSData"),
            (.UUIDAttributeType, .uuid, "NSUUID"), (.URIAttributeType, .uri, "NSURL"),
            (.transformableAttributeType, .transformable, nil), (.objectIDAttributeType, .objectID, "NSManagedObjectID"),
            (.compositeAttributeType, .composite, "NSDictionary"), (.undefinedAttributeType, .undefined, nil),
        ]
        for (old, new, valueClass) in classes {
            let attribute = NSAttributeDescription()
            attribute.attributeType = old
            #expect(attribute.type == new)
            #expect(attribute.type.rawValue == old.rawValue)
            #expect(attribute.attributeValueClassName == valueClass)
            attribute.type = new
            #expect(attribute.attributeType == old)
        }
    }

    @Test("Properties and entities know where they are")
    func ownership() {
        let (model, movie, _) = Cinema.model()
        #expect(movie.managedObjectModel === model)
        #expect(movie.properties.allSatisfy { $0.entity === movie })
        let removed = movie.properties[0]
        movie.properties.removeFirst()
        #expect(movie.attributesByName["title"] == nil)
        let other = NSEntityDescription()
        other.properties = [removed]
        #expect(removed.entity === other)
    }

    @Test("Inherited properties come first and are found by name")
    func inheritance() {
        let (model, movie, _) = Cinema.model()
        let short = NSEntityDescription()
        short.name = "ShortMovie"
        short.properties = [Cinema.attribute("minutes", .integer16)]
        movie.subentities = [short]
        model.entities.append(short)
        #expect(short.superentity === movie)
        #expect(short.properties.map(\.name) == ["title", "rating", "director", "minutes"])
        #expect(short.attributesByName["title"]?.entity === movie)
        #expect(short.relationshipsByName.keys.sorted() == ["director"])
        #expect(short.isKindOf(entity: movie))
        #expect(!movie.isKindOf(entity: short))
        #expect(movie.subentitiesByName["ShortMovie"] === short)
        // Writing back what was read must not declare the inherited properties again.
        short.properties += [Cinema.attribute("festival", .string)]
        #expect(short.ownProperties.map(\.name) == ["minutes", "festival"])
        model.freeze()
        #expect(short.properties.map(\.name) == ["title", "rating", "director", "minutes", "festival"])
        #expect(short.isKindOf(entity: movie))
        movie.freeze()
    }

    @Test("An entity moves from one superentity to another")
    func moving() {
        let (a, b, child) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
        a.subentities = [child]
        b.subentities = [child]
        #expect(a.subentities.isEmpty)
        #expect(child.superentity === b)
        b.subentities = []
        #expect(child.superentity == nil)
    }

    @Test("Relationships to an entity")
    func relationshipsForDestination() {
        let (model, movie, director) = Cinema.model()
        #expect(movie.relationships(forDestination: director).map(\.name) == ["director"])
        #expect(movie.relationships(forDestination: movie).isEmpty)
        withExtendedLifetime(model) {}
    }

    @Test("A renaming identifier is the name unless set")
    func renaming() {
        let attribute = Cinema.attribute("title", .string)
        #expect(attribute.renamingIdentifier == "title")
        attribute.renamingIdentifier = "name"
        #expect(attribute.renamingIdentifier == "name")
        let entity = NSEntityDescription()
        entity.name = "Movie"
        #expect(entity.renamingIdentifier == "Movie")
        entity.renamingIdentifier = "Film"
        #expect(entity.renamingIdentifier == "Film")
    }

    @Test("Configurations")
    func configurations() {
        let (model, movie, director) = Cinema.model()
        model.setEntities([movie], forConfigurationName: "Films")
        #expect(model.configurations == ["Films"])
        #expect(model.entities(forConfigurationName: "Films")?.first === movie)
        #expect(model.entities(forConfigurationName: nil)?.count == 2)
        #expect(model.entities(forConfigurationName: "PF_DEFAULT_CONFIGURATION_NAME")?.count == 2)
        #expect(model.entities(forConfigurationName: "Other") == nil)
        model.entities = [director]
        #expect(model.entities(forConfigurationName: "Films")?.isEmpty == true)
    }

    @Test("API-133: compound indexes stay empty; constraints take names and properties")
    func constraints() {
        let (model, movie, _) = Cinema.model()
        movie.compoundIndexes = [["title"]]
        #expect(movie.compoundIndexes.isEmpty)
        movie.uniquenessConstraints = [["title"], [movie.properties[1], "director"]]
        #expect(movie.uniquenessConstraintNames == [["title"], ["rating", "director"]])
        withExtendedLifetime(model) {}
    }

    @Test("Indexes know their entity, elements their index")
    func indexes() {
        let (model, movie, _) = Cinema.model()
        let element = NSFetchIndexElementDescription(property: movie.properties[0], collationType: .binary)
        #expect(element.isAscending)
        let index = NSFetchIndexDescription(name: "byTitle", elements: [element])
        movie.indexes = [index]
        #expect(index.entity === movie)
        #expect(element.indexDescription === index)
        #expect(element.propertyName == "title")
        withExtendedLifetime(model) {}
    }

    @Test("A copied model is equal, changeable and leads to itself only")
    func copy() throws {
        let (model, movie, director) = Cinema.model()
        director.subentities = [movie]
        movie.indexes = [
            NSFetchIndexDescription(
                name: "byTitle",
                elements: [NSFetchIndexElementDescription(property: movie.ownProperties[0], collationType: .binary)])
        ]
        model.setEntities([movie], forConfigurationName: "Films")
        model.versionIdentifiers = ["1"]
        model.freeze()
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        #expect(!copy.isFrozen)
        #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
        #expect(copy.structuralProblems == [])
        let movieCopy = try #require(copy.entitiesByName["Movie"])
        let directorCopy = try #require(copy.entitiesByName["Director"])
        #expect(movieCopy !== movie)
        #expect(movieCopy.superentity === directorCopy)
        let relationship = try #require(movieCopy.relationshipsByName["director"])
        #expect(relationship.destinationEntity === directorCopy)
        #expect(relationship.inverseRelationship === directorCopy.relationshipsByName["movies"])
        #expect(movieCopy.indexes.first?.elements.first?.property === movieCopy.attributesByName["title"])
        #expect(copy.entities(forConfigurationName: "Films")?.first === movieCopy)
        #expect(copy.versionIdentifiers == ["1"])
        movieCopy.name = "Film"
        #expect(movie.name == "Movie")
    }

    @Test("A copied attribute keeps everything but its entity")
    func copyAttribute() throws {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = "canonicalTitle"
        attribute.type = .string
        attribute.defaultValue = "x"
        attribute.isTransient = true
        attribute.userInfo = ["a": 1]
        attribute.isIndexedBySpotlight = true
        attribute.derivationExpressionString = "canonical:(title)"
        attribute.validationLimits.maximum = "20"
        attribute.setValidationPredicates([NSPredicate(value: true)], withValidationWarnings: ["no"])
        let copy = try #require(attribute.copy() as? NSDerivedAttributeDescription)
        #expect(copy.name == "canonicalTitle")
        #expect(copy.attributeValueClassName == "NSString")
        #expect(copy.defaultValue as? String == "x")
        #expect(copy.isTransient)
        #expect(copy.userInfo?["a"] as? Int == 1 && copy.isIndexedBySpotlight)
        #expect(copy.derivationExpressionString == "canonical:(title)")
        #expect(copy.validationLimits.maximum == "20")
        #expect(copy.validationPredicates.count == 1)
        #expect(copy.validationWarnings as? [String] == ["no"])
        #expect(copy.owningEntity == nil)
    }

    @Test("Faults of a model made in code are found, with their names")
    func structuralProblems() {
        let (model, movie, director) = Cinema.model()
        #expect(model.structuralProblems == [])
        movie.properties.append(Cinema.attribute("title", .string))
        movie.uniquenessConstraints = [["isbn"]]
        let lost = NSRelationshipDescription()
        lost.name = "lost"
        director.properties.append(lost)
        model.entities = [movie]
        let problems = model.structuralProblems
        #expect(problems.contains { $0.contains("Movie.title") && $0.contains("twice") })
        #expect(problems.contains { $0.contains("“isbn”") })
        #expect(problems.contains { $0.contains("Movie.director") && $0.contains("“Director”") })
        model.entities = [director]
        #expect(model.structuralProblems.contains { $0.contains("Director.lost") && $0.contains("no destination") })
    }

    @Test("API-149, STO-34: a frozen model may be frozen from many threads, and changing it stops the program")
    func freezing() async {
        let (model, movie, _) = Cinema.model()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    model.freeze()
                    #expect(movie.attributesByName["title"]?.isFrozen == true)
                }
            }
        }
        #expect(model.isFrozen)
        await #expect(processExitsWith: .failure) {
            let (model, movie, _) = Cinema.model()
            model.freeze()
            movie.attributesByName["title"]?.isOptional = true
        }
        await #expect(processExitsWith: .failure) {
            let (model, _, _) = Cinema.model()
            model.freeze()
            model.entities = []
        }
    }

    @Test(
        "STO-73, STO-76, STO-79: constraints are part of the hash, version identifiers are not; the checksum is Base64 over all hashes"
    )
    func versions() throws {
        let (model, movie, _) = Cinema.model()
        let (hashes, checksum) = (model.entityVersionHashesByName, model.versionChecksum)
        #expect(Data(base64Encoded: checksum)?.isEmpty == false)
        model.versionIdentifiers = ["2", "later"]
        #expect(model.entityVersionHashesByName == hashes && model.versionChecksum == checksum)
        #expect(model.hasVersionHashes(of: ["NSStoreModelVersionHashes": hashes], configuration: nil) == true)
        movie.uniquenessConstraints = [["title"]]
        #expect(model.entityVersionHashesByName["Movie"] != hashes["Movie"])
        #expect(model.entityVersionHashesByName["Director"] == hashes["Director"])
        #expect(model.versionChecksum != checksum)
    }

    @Test("STO-77: a relationship holds many unless its greatest count is one")
    func counts() {
        let relationship = NSRelationshipDescription()
        for count in [-1, 0, 1, 2, 10] {
            relationship.maxCount = count
            #expect(relationship.isToMany == (count != 1))
        }
    }
}

import OpenCoreData
import TestSupport
import Testing

@Suite("Objects that are not valid can't be saved: nothing is written, everything stays pending")
struct BadSaveTests {
    /// The error of a save that must fail; then what was wrong is set right, and saving works.
    private func savingError(
        _ break: @escaping (NSManagedObjectContext) throws -> Void, repair: @escaping (NSManagedObjectContext) throws -> Void,
        _ location: SourceLocation = #_sourceLocation, check: @escaping (NSError) -> Void
    ) throws {
        let folder = try TemporaryFolder()
        let url = try Reels.make(in: folder)
        let container = try Reels.container(at: url)
        try container.loadPersistentStores()
        let before = try StoreContents(of: container.newBackgroundContext(), container.managedObjectModel)
        try container.newBackgroundContext().run { context in
            try `break`(context)
            let pending = (context.insertedObjects, context.updatedObjects, context.deletedObjects)
            let error = #expect(throws: NSError.self, sourceLocation: location) { try context.save() }
            check(try #require(error, sourceLocation: location))
            #expect(
                pending == (context.insertedObjects, context.updatedObjects, context.deletedObjects), sourceLocation: location)
            #expect(context.insertedObjects.allSatisfy { $0.objectID.isTemporaryID }, sourceLocation: location)
            let stored = try StoreContents(of: container.newBackgroundContext(), container.managedObjectModel)
            expectSame(stored, before, at: location)
            try repair(context)
            try context.save()
            #expect(!context.hasChanges, sourceLocation: location)
        }
        try Reels.close(container)
    }

    @Test("A missing required value: error 1570 with object, entity and property")
    func missingValue() throws {
        try savingError { context in
            _ = Reel.makeInstance(in: context)
        } repair: { context in
            context.insertedObjects.first?.setValue("d", forKey: "label")
        } check: { error in
            #expect(error.domain == NSCocoaErrorDomain)
            #expect(error.code == NSValidationMissingMandatoryPropertyError)
            #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "label")
            #expect((error.userInfo[NSValidationObjectErrorKey] as? Reel)?.isInserted == true)
            #expect(error.localizedDescription.hasPrefix("“label” of “Reel”"))
            #expect(error.localizedDescription.hasSuffix("is required and has no value"))
        }
    }

    @Test("A value taken away from a saved object: error 1570")
    func valueTakenAway() throws {
        try savingError { context in
            try context.fetch(Reel.self).first { $0.label == "a" }?.setValue(nil, forKey: "label")
        } repair: { context in
            context.updatedObjects.first?.setValue("a", forKey: "label")
        } check: { error in
            #expect(error.code == NSValidationMissingMandatoryPropertyError)
            #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "label")
        }
    }

    @Test("Several: error 1560 with all of them as details, objects and properties named")
    func several() throws {
        try savingError { context in
            _ = Frame.makeInstance(in: context)
            _ = Reel.makeInstance(in: context)
        } repair: { context in
            for object in context.insertedObjects { context.delete(object) }
        } check: { error in
            #expect(error.domain == NSCocoaErrorDomain)
            #expect(error.code == NSValidationMultipleErrorsError)
            #expect(
                error.details.allSatisfy {
                    $0.domain == NSCocoaErrorDomain && $0.code == NSValidationMissingMandatoryPropertyError
                })
            let properties = error.details.map { detail in
                "\(type(of: detail.userInfo[NSValidationObjectErrorKey] ?? "")).\(detail.userInfo[NSValidationKeyErrorKey] ?? "")"
            }
            #expect(Set(properties) == ["Frame.number", "Frame.caption", "Frame.reel", "Reel.label"])
            #expect(error.localizedDescription.contains("4 validation errors"))
            for detail in error.details { #expect(error.localizedDescription.contains(detail.localizedDescription)) }
        }
    }

    @Test("A required relationship of saved objects taken away: error 1570 with the relationship")
    func relationshipTakenAway() throws {
        try savingError { context in
            let reel = try #require(try context.fetch(Reel.self).first { $0.label == "a" })
            let frame = try #require(reel.frames.first { $0.number == 7 })
            reel.frames.remove(frame)
        } repair: { context in
            let reel = try #require(try context.fetch(Reel.self).first { $0.label == "b" })
            let frame = try #require(context.updatedObjects.first { $0 is Frame } as? Frame)
            reel.frames.insert(frame)
        } check: { error in
            #expect(error.code == NSValidationMissingMandatoryPropertyError)
            #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "reel")
            #expect((error.userInfo[NSValidationObjectErrorKey] as? Frame)?.number == 7)
        }
    }

    @Test("A context whose coordinator has no store, and one whose store was removed: error 134030")
    func noStore() throws {
        let container = try NSPersistentContainer(name: "Reels", entities: Reel.self, Frame.self)
        try container.newBackgroundContext().run { context in
            _ = Reel(context: context, label: "a")
            var error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.domain == NSCocoaErrorDomain)
            #expect(error?.code == NSPersistentStoreSaveError)
            #expect(error?.localizedDescription.contains("the coordinator has no stores") == true)
            let coordinator = container.persistentStoreCoordinator
            let store = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
            try context.save()
            let reel = try #require(try context.fetch(Reel.self).first)
            try coordinator.remove(store)
            reel.label = "b"
            error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == NSPersistentStoreSaveError)
            #expect(error?.localizedDescription.contains("its store was removed from the coordinator") == true)
            context.rollback()
        }
    }
}

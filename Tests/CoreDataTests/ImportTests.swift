import CoreData
import Testing

final class ImportedNote: NSManagedObject {
    @Managed var text: String?
    @Managed var created: Date?
}

/// Compiled with Apple's name of the framework alone.
@Suite("import CoreData")
struct ImportTests {
    private static func model() -> NSManagedObjectModel {
        let text = NSAttributeDescription()
        text.name = "text"
        text.attributeType = .stringAttributeType
        let created = NSAttributeDescription()
        created.name = "created"
        created.attributeType = .dateAttributeType
        let entity = NSEntityDescription()
        entity.name = "Note"
        entity.managedObjectClassName = NSStringFromClass(ImportedNote.self)
        entity.properties = [text, created]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    @Test("R66: a stack, a class, a request and a predicate with nothing imported but CoreData")
    func stack() throws {
        let container = NSPersistentContainer(name: "Notes", managedObjectModel: Self.model())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription()]
        container.loadPersistentStores { _, error in #expect(error == nil) }
        let context = container.newBackgroundContext()
        try context.performAndWait {
            for text in ["a", "b"] {
                let note = ImportedNote(context: context)
                note.text = text
                note.created = Date(timeIntervalSinceReferenceDate: 1)
            }
            try context.save()
            let request = NSFetchRequest<ImportedNote>(entityName: "Note")
            request.predicate = NSPredicate(format: "text == %@", "b")
            #expect(try context.fetch(request).map(\.text) == ["b"])
        }
    }
}

import OpenCoreData
import TestSupport
import Testing

final class CastMember: NSManagedObject {
    @Managed var name: String?
}

/// There is another class of this name, in the program that is killed while it saves.
final class Picture: NSManagedObject {}

@Suite("The classes that models name")
struct ClassNameTests {
    private func context(_ className: String, in folder: TemporaryFolder) throws -> NSManagedObjectContext {
        try folder.write(
            """
            <model type="com.apple.IDECoreDataModeler.DataModel">
                <entity name="Human" representedClassName="\(className)">
                    <attribute name="name" optional="YES" attributeType="String"/>
                </entity>
            </model>
            """, to: "People.xcdatamodel/contents")
        let model = try NSManagedObjectModel(readingModelAt: folder.file("People.xcdatamodel"))
        return try StoreSession(folder.file("People.sqlite"), model).context
    }

    @Test(
        "B25: a class of another name than its entity is found with its module, without it, and in the current one",
        arguments: ["CastMember", ".CastMember", "OpenCoreDataTests.CastMember"])
    func spellings(_ name: String) throws {
        let folder = try TemporaryFolder()
        try context(name, in: folder).run { context in
            let made = NSEntityDescription.insertNewObject(forEntityName: "Human", into: context)
            (made as? CastMember)?.name = "Setsuko Hara"
            try context.save()
            context.reset()
            let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Human"))
            #expect(found.map { ($0 as? CastMember)?.name } == ["Setsuko Hara"])
        }
    }

    @Test(
        "of two modules with a class of one name, that one counts in whose resources the model is",
        arguments: [
            ("Some_OpenCoreDataTests.resources", "OpenCoreDataTests.Picture"), ("Some_save-loop.resources", "save_loop.Picture"),
            ("Some_package_save-loop.resources", "save_loop.Picture"), ("Some_save-loop.bundle", "save_loop.Picture"),
            ("Nowhere.resources", "OpenCoreDataTests.Picture"), ("_.resources", "OpenCoreDataTests.Picture"),
        ])
    func resources(_ place: String, _ expected: String) throws {
        let folder = try TemporaryFolder()
        for name in ["Picture", ".Picture"] {
            try folder.write(
                """
                <model type="com.apple.IDECoreDataModeler.DataModel">
                    <entity name="Picture" representedClassName="\(name)">
                        <attribute name="number" attributeType="Integer 64" defaultValueString="0"/>
                        <attribute name="data" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                    </entity>
                </model>
                """, to: "\(place)/Pictures.xcdatamodel/contents")
            let model = try NSManagedObjectModel(readingModelAt: folder.file("\(place)/Pictures.xcdatamodel"))
            for model in [model, try #require(model.copy() as? NSManagedObjectModel)] {
                try StoreSession(folder.file("\(UUID().uuidString).sqlite"), model).context.run { context in
                    let made = NSEntityDescription.insertNewObject(forEntityName: "Picture", into: context)
                    #expect(String(reflecting: type(of: made)) == expected)
                    context.rollback()
                }
            }
        }
    }

    @Test(
        "B25: a class that is not there, or is no managed object, leaves plain objects",
        arguments: [
            "Nobody", ".Nobody", "Else.CastMember", "OpenCoreDataTests.ClassNameTests", "NSObject", "", ".", "..", "a b",
            "\u{e9}",
        ])
    func misses(_ name: String) throws {
        let folder = try TemporaryFolder()
        try context(name, in: folder).run { context in
            let made = NSEntityDescription.insertNewObject(forEntityName: "Human", into: context)
            #expect(type(of: made) == NSManagedObject.self)
            made.setValue("Chishu Ryu", forKey: "name")
            try context.save()
            context.reset()
            let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Human"))
            #expect(found.map { $0.value(forKey: "name") as? String } == ["Chishu Ryu"])
        }
    }
}

import Foundation
import OpenCoreData
import Testing

/// As ported sources have it: both initializers are the class's own.
class Artisan: NSManagedObject {
    private(set) var isMarked = false

    required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
        isMarked = true
    }
}

final class Potter: Artisan {
    private(set) var isPotter = false

    required convenience init(context: NSManagedObjectContext) {
        self.init(entity: Self.entity(), insertInto: context)
        isPotter = true
    }
}

extension NSManagedObject {
    fileprivate class func made(in context: NSManagedObjectContext) -> Self { Self(context: context) }
}

private protocol Insertable: NSManagedObject {
    init(context: NSManagedObjectContext)
}

extension Artisan: Insertable {}

@Suite("Objects are made of types that only the running program knows")
struct RequiredInitializerTests {
    private func make<Object: NSManagedObject>(_ type: Object.Type, in context: NSManagedObjectContext) -> Object {
        Object(context: context)
    }

    private func insert<Object: Insertable>(_ type: Object.Type, in context: NSManagedObjectContext) -> Object {
        type.init(context: context)
    }

    @Test("R62: T(context:), Self(context:) and init(context:) of a protocol make objects of the right class")
    func generic() throws {
        let model = NSManagedObjectModel()
        model.entities = [Artisan.self, Potter.self].map { type in
            let entity = NSEntityDescription()
            entity.name = "\(type)"
            entity.managedObjectClassName = NSStringFromClass(type)
            return entity
        }
        try TestStore(NSPersistentContainer(name: "Artisan", managedObjectModel: model)).run { context in
            #expect(make(Artisan.self, in: context).isMarked)
            let types: [Artisan.Type] = [Artisan.self, Potter.self]
            let objects = types.map { $0.init(context: context) }
            #expect(objects.map { $0.entity.name } == ["Artisan", "Potter"])
            let potter = make(Potter.self, in: context)
            #expect(potter.isMarked && potter.isPotter, "the class's own initializer is the one that is called")
            #expect(Potter.made(in: context).isPotter && insert(Potter.self, in: context).isPotter)
            #expect(context.insertedObjects.count == 6)
        }
    }

    @Test("R62: the same with @Entity classes, whose generated initializers stay")
    func entities() throws {
        try TestStore.cinema().run { context in
            let director = make(Director.self, in: context)
            director.name = "Kurosawa"
            let part = SecondPart.made(in: context)
            part.director = director
            #expect(part.part == 2 && part.duration == 0 && part.genre == .drama)
            let movie = Movie(context: context, imdbID: "1", title: "Ran", director: director)
            #expect(director.movies == [part, movie])
        }
    }
}

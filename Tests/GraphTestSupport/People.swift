package import DataModel
import Foundation

/// The model of most tests: people with attributes of all types and relationships of all kinds.
package enum People {
    package static func model() -> NSManagedObjectModel {
        var maker = ModelMaker()
        maker.entity(
            "Person",
            [
                ModelMaker.attribute("name", .string), ModelMaker.attribute("age", .integer32, default: 18),
                ModelMaker.attribute("score", .double), ModelMaker.attribute("small", .integer16),
                ModelMaker.attribute("big", .integer64),
                ModelMaker.attribute("ratio", .float), ModelMaker.attribute("price", .decimal),
                ModelMaker.attribute("flag", .boolean),
                ModelMaker.attribute("born", .date), ModelMaker.attribute("photo", .binaryData),
                ModelMaker.attribute("code", .uuid),
                ModelMaker.attribute("page", .uri), ModelMaker.attribute("tags", .transformable),
                ModelMaker.attribute("mood", .integer32, default: 7, isTransient: true),
                ModelMaker.attribute("nick", .string, isTransient: true),
            ])
        maker.entity("Manager", parent: "Person", [ModelMaker.attribute("level", .integer32, default: 1)])
        maker.entity("Pet", class: "GraphTestSupport.Pet", [ModelMaker.attribute("name", .string)])
        for name in ["Team", "Desk", "Skill", "Task", "Song", "Badge"] {
            maker.entity(name, [ModelMaker.attribute("name", .string)])
        }
        maker.relate("Person", "team", .one, "Team", "members", .many)
        maker.relate("Person", "desk", .one, "Desk", "owner", .one)
        maker.relate("Person", "boss", .one, "Person", "reports", .many)
        maker.relate("Person", "skills", .many, "Skill", "people", .many)
        maker.relate("Person", "tasks", .ordered, "Task", "worker", .one)
        maker.relate("Person", "playlist", .ordered, "Song", "listeners", .many)
        maker.relate("Song", "charts", .ordered, "Badge", "songs", .ordered)
        maker.relate("Manager", "office", .one, "Desk", "manager", .one)
        maker.relateToSelf("Person", "spouse", .one)
        maker.relateToSelf("Person", "friends", .many)
        maker.point("Person", "hero", .one, "Person")
        maker.point("Person", "badges", .many, "Badge")
        return maker.model()
    }
}

extension TestStack {
    /// A store for the `People` model.
    package static func people(_ kind: StackKind = .inMemory) throws -> TestStack { try TestStack(kind, People.model()) }
}

/// A class with an entity of its own.
package final class Pet: Recorder {}

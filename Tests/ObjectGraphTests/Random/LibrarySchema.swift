import DataModel
import GraphTestSupport

/// The built-in model of random programs: relationships and delete rules of all kinds.
enum LibrarySchema {
    private typealias Relationship = RandomSchema.Relationship

    private static let entities = ["Author", "Passport", "Book", "Novel", "Tag"]
    private static let parents = ["Novel": "Book"]
    private static func one(
        _ source: String, _ name: String, _ destination: String, _ inverse: String, _ rule: NSDeleteRule = .nullifyDeleteRule
    )
        -> Relationship
    {
        Relationship(
            source: source, name: name, isMany: false, isOrdered: false, rule: rule, destination: destination, inverse: inverse)
    }

    private static func many(
        _ source: String, _ name: String, _ destination: String, _ inverse: String, _ rule: NSDeleteRule = .nullifyDeleteRule,
        ordered: Bool = false
    ) -> Relationship {
        Relationship(
            source: source, name: name, isMany: true, isOrdered: ordered, rule: rule, destination: destination, inverse: inverse)
    }

    private static let relationships = [
        one("Author", "passport", "Passport", "author", .cascadeDeleteRule), one("Passport", "author", "Author", "passport"),
        many("Author", "books", "Book", "author", .cascadeDeleteRule), one("Book", "author", "Author", "books"),
        many("Author", "reading", "Book", "reader", ordered: true), one("Book", "reader", "Author", "reading"),
        one("Author", "mentor", "Author", "students"), many("Author", "students", "Author", "mentor"),
        one("Author", "spouse", "Author", "spouse"), many("Author", "friends", "Author", "friends"),
        many("Book", "tags", "Tag", "books"), many("Tag", "books", "Book", "tags", .denyDeleteRule),
        many("Tag", "shelf", "Book", "shelves", ordered: true), many("Book", "shelves", "Tag", "shelf"),
        many("Tag", "narrower", "Tag", "broader", ordered: true), many("Tag", "broader", "Tag", "narrower", ordered: true),
        one("Novel", "sequel", "Book", "prequel"), one("Book", "prequel", "Novel", "sequel"),
    ]

    static let schema = RandomSchema(model())

    private static func model() -> NSManagedObjectModel {
        var maker = ModelMaker()
        for entity in entities {
            let isChild = parents[entity] != nil
            maker.entity(
                entity, parent: parents[entity], class: "NSManagedObject",
                isChild
                    ? []
                    : [
                        ModelMaker.attribute("text", .string, isOptional: entity != "Passport"),
                        ModelMaker.attribute("number", .integer32, default: 0),
                    ])
        }
        func end(_ relationship: Relationship) -> ModelMaker.End {
            ModelMaker.End(isMany: relationship.isMany, isOrdered: relationship.isOrdered, rule: relationship.rule)
        }
        var done: Set<String> = []
        for there in relationships where !done.contains("\(there.source).\(there.name)") {
            done.formUnion(["\(there.source).\(there.name)", "\(there.destination).\(there.inverse)"])
            if there.source == there.destination, there.name == there.inverse {
                maker.relateToSelf(there.source, there.name, end(there))
            } else {
                guard
                    let back = relationships.first(where: { $0.source == there.destination && $0.name == there.inverse })
                else { fatalError("no \(there.inverse)") }
                maker.relate(there.source, there.name, end(there), there.destination, there.inverse, end(back))
            }
        }
        return maker.model()
    }
}

package import DataModel
import Foundation
package import ObjectGraph

/// A model for batch requests: unique, required and default values, subentities, every delete rule.
package enum Shop {
    package static func model() -> NSManagedObjectModel {
        var maker = ModelMaker()
        let item = maker.entity(
            "Item",
            [
                ModelMaker.attribute("name", .string), ModelMaker.attribute("code", .string),
                ModelMaker.attribute("count", .integer32, default: 5, isOptional: false),
                ModelMaker.attribute("price", .decimal), ModelMaker.attribute("weight", .double),
                ModelMaker.attribute("made", .date), ModelMaker.attribute("isNew", .boolean),
                ModelMaker.attribute("tags", .transformable), ModelMaker.attribute("id", .uuid),
                ModelMaker.attribute("note", .string, isTransient: true),
            ])
        item.uniquenessConstraints = [["code"]]
        maker.entity("Book", parent: "Item", [ModelMaker.attribute("author", .string)])
        maker.entity("Shelf", [ModelMaker.attribute("name", .string, isOptional: false)])
        for name in ["Label", "Box", "Owner", "Tag", "Part"] { maker.entity(name, [ModelMaker.attribute("name", .string)]) }
        maker.relate("Shelf", "items", .many.cascade, "Item", "shelf", .one)
        maker.relate("Item", "parts", .many.cascade, "Part", "item", .one.cascade)
        maker.relate("Item", "label", .one, "Label", "item", .one)
        maker.relate("Item", "tags2", .many, "Tag", "items", .many)
        maker.relate("Owner", "boxes", .many.deny, "Box", "owner", .one)
        maker.relate("Box", "labels", .many, "Label", "box", .one)
        maker.relate("Tag", "owners", .many, "Owner", "tag", .one.required)
        maker.point("Shelf", "badges", .many, "Tag")
        return maker.model()
    }

    package static func stack(_ kind: StackKind = .sqlite) throws -> TestStack { try TestStack(kind, model()) }
}

extension NSManagedObjectContext {
    /// Executes a batch request and gives its result.
    package func batch<Result>(_ request: NSPersistentStoreRequest) throws -> Result {
        let result = try execute(request)
        let value: Any? =
            switch result {
            case let result as NSBatchInsertResult: result.result
            case let result as NSBatchUpdateResult: result.result
            case let result as NSBatchDeleteResult: result.result
            default: nil
            }
        guard let value = value as? Result else { throw CocoaError(.featureUnsupported) }
        return value
    }
}

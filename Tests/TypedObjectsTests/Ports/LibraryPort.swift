import Foundation
import OpenCoreData

/// Books and authors: transformables.
///
/// Ported from `stores/bookmigration-model1/Model1.xcdatamodel`.
enum LibraryPort {
    @Entity final class Book: NSManagedObject {
        var authorName: String?
        @Attribute(.transformable) var fileURL: NSObject?
        var title: String?
        @Relationship(inverse: \User.books, minCount: 1) var user: User?
    }

    @Entity final class User: NSManagedObject {
        var userId: Int32? = 0
        var books: Set<Book>
    }

    static let entities: [any TypedObject.Type] = [Book.self, User.self]
}

import Foundation
import OpenCoreData

/// Publishers, books and authors: uniqueness.
///
/// Ported from `stores/bnr-testmodel/TestModel.xcdatamodel`.
enum CompanyPort {
    @Entity final class Author: NSManagedObject {
        var firstName: String?
        var lastName: String?
        @Relationship(inverse: \Book.authors) var books: Set<Book>
    }

    @Entity final class Book: NSManagedObject {
        var title: String?
        var authors: Set<Author>
    }

    static let entities: [any TypedObject.Type] = [Author.self, Book.self]
}

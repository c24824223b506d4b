import OpenCoreData

/// The end of an inverse that has many.
@Entity final class Shelf: NSManagedObject {
    var name: String
    @Relationship(inverse: \Book.shelf) var books: Set<Book>
}

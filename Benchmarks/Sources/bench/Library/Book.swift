import OpenCoreData

/// The end of an inverse that has one.
@Entity final class Book: NSManagedObject {
    var number: Int64
    var shelf: Shelf?
}

import OpenCoreData

/// A person as the library's users write it.
@Entity final class Person: NSManagedObject {
    var name: String
}

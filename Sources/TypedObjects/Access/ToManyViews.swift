import ObjectGraph

// To-many relationships as Swift collections. The object graph keeps an array of objects; the typed form of it is made at the first reading after
// a change and kept beside the array, so that reading again costs nothing.

extension NSManagedObject {
    @usableFromInline
    final func _toManySet<Destination: NSManagedObject>(_ objects: ToManyObjects, _ name: String) -> Set<Destination> {
        if let view = objects.typedView as? ToManyView<Set<Destination>> { return view.collection }
        let set = Set(_checked(objects.objects, name) as [Destination])
        objects.typedView = ToManyView(set)
        return set
    }

    @usableFromInline
    final func _toManyArray<Destination: NSManagedObject>(_ objects: ToManyObjects, _ name: String) -> [Destination] {
        if let view = objects.typedView as? ToManyView<[Destination]> { return view.collection }
        let array: [Destination] = _checked(objects.objects, name)
        objects.typedView = ToManyView(array)
        return array
    }

    private func _checked<Destination: NSManagedObject>(_ objects: [NSManagedObject], _ name: String) -> [Destination] {
        objects.castToArray(of: Destination.self) ?? objects.map { _destination($0, name) }
    }
}

/// A typed collection made from a to-many relationship's objects.
private final class ToManyView<Collection> {
    let collection: Collection

    init(_ collection: Collection) {
        self.collection = collection
    }
}

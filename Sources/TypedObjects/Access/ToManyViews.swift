public import ObjectGraph

// To-many relationships as Swift collections. The object graph keeps an array of objects. The typed collection is made when it is
// first read after a change. It is then kept beside the array, so reading it again costs almost nothing.

extension NSManagedObject {
    @inlinable
    final func _toManySet<Destination: NSManagedObject>(_ objects: _ToManyObjects, _ name: String) -> Set<Destination> {
        if let set: Set<Destination> = ToManyView.kept(by: objects) { return set }
        let set = Set(_checked(objects.objects, name) as [Destination])
        objects.typedView = ToManyView(set)
        return set
    }

    @inlinable
    final func _toManyArray<Destination: NSManagedObject>(_ objects: _ToManyObjects, _ name: String) -> [Destination] {
        if let array: [Destination] = ToManyView.kept(by: objects) { return array }
        let array: [Destination] = _checked(objects.objects, name)
        objects.typedView = ToManyView(array)
        return array
    }

    @usableFromInline
    final func _checked<Destination: NSManagedObject>(_ objects: [NSManagedObject], _ name: String) -> [Destination] {
        objects.castToArray(of: Destination.self) ?? objects.map { _destination($0, name) }
    }
}

/// A typed collection made from a to-many relationship's objects.
@usableFromInline
final class ToManyView<Collection> {
    @usableFromInline let collection: Collection

    @inlinable
    init(_ collection: Collection) {
        self.collection = collection
    }

    /// The collection that is kept with a relationship, if it is of this type. The classes are compared, because a cast takes ten
    /// times as long.
    @inlinable
    static func kept(by objects: _ToManyObjects) -> Collection? {
        guard let view = objects.typedView, type(of: view) == ToManyView<Collection>.self else { return nil }
        return unsafeDowncast(view, to: ToManyView<Collection>.self).collection
    }
}

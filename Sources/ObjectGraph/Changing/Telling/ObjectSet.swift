/// The objects of one kind in a notification.
///
/// A set of objects costs more than all else that a notification needs, and most notifications have nobody who asks. So
/// the set is made when it is first asked for, and everyone who asks shares it. Confined to the context's queue.
final class ObjectSet {
    let list: ContiguousArray<NSManagedObject>
    private var made: Set<NSManagedObject>?

    init(_ list: ContiguousArray<NSManagedObject> = []) { self.list = list }

    /// Keeps a set that is there already.
    init(_ set: Set<NSManagedObject>) {
        list = ContiguousArray(set)
        made = set
    }

    var isEmpty: Bool { list.isEmpty }

    var set: Set<NSManagedObject> {
        if let made { return made }
        let set = Set(sparse: list)
        made = set
        return set
    }

    /// This set, if it has been made and has the objects of a list; else a new one.
    func shared(with list: ContiguousArray<NSManagedObject>) -> ObjectSet {
        made != nil && self.list.elementsEqual(list, by: ===) ? self : ObjectSet(list)
    }
}

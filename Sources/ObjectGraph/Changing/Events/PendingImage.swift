import DataModel
import Storage

/// The values of a changed object that a fetch found before observers were told of the changes.
package struct PendingImage {
    private let object: NSManagedObject
    private let row: Row?
    /// How often the members of each to-many relationship were changed.
    private let versions: [Int?]

    package init(_ object: NSManagedObject) {
        self.object = object
        row = object.row?.makeDraft()
        versions = object.memberVersions
    }

    /// Whether the object still has these values.
    package var isStillRight: Bool {
        guard let row, let current = object.row, object.memberVersions == versions else { return false }
        return object.layout.slots.indices.allSatisfy { slot in
            let kind = object.layout.kind(slot)
            return kind == .vacant || kind == .toMany || !object.differs(slot, row, current)
        }
    }
}

extension NSManagedObject {
    fileprivate final var memberVersions: [Int?] {
        layout.relationships.map { toManyIfKnown($0)?.version }
    }
}

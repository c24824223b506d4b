import DataModel
import Storage

/// The values that changed objects had at the beginning of one event, as far as the objects don't keep them themselves.
///
/// An object without unsaved changes at the beginning of the event needs no entry: its snapshot has its values. The row
/// of an object with unsaved changes is copied at its first change. Changes of relationships are kept one by one, for
/// objects that had unsaved changes, and for all if there is an undo manager.
final class EventLog {
    // Unchecked exclusivity: confined to the queue, and no other code is called while it is changed.
    @exclusivity(unchecked) private var images: ContiguousArray<Image> = []
    private(set) var links: ContiguousArray<LinkChange> = []

    struct Image {
        let object: NSManagedObject
        /// The values; nil if they were not loaded.
        let row: Row?
    }

    // Made when first needed, and completed when needed again.
    private var imageByObject: [ObjectIdentifier: Int] = [:]
    private var linksByObject: [ObjectIdentifier: [Int]] = [:]
    private var indexedImages = 0
    private var indexedLinks = 0

    var isEmpty: Bool { images.isEmpty && links.isEmpty }

    /// Whether all changed objects had no unsaved changes at the beginning.
    var hasNoImages: Bool { images.isEmpty }

    /// Keeps the row of an object that had unsaved changes before this event.
    func addImage(of object: NSManagedObject) {
        // Only drafts ever change.
        images.append(Image(object: object, row: object._state.contains(.draft) ? object.row?.makeDraft() : object.row))
    }

    func add(_ link: LinkChange) { links.append(link) }

    /// Drops all entries of an object.
    func forget(_ object: NSManagedObject) {
        images.removeAll { $0.object === object }
        links.removeAll { $0.owner === object }
        (imageByObject, linksByObject, indexedImages, indexedLinks) = ([:], [:], 0, 0)
    }

    /// The image of an object at the beginning, if it had unsaved changes then and changed.
    func image(of object: NSManagedObject) -> Image? {
        guard !images.isEmpty else { return nil }
        while indexedImages < images.count {
            let id = ObjectIdentifier(images[indexedImages].object)
            // If there are two images, the first is that of the beginning.
            if imageByObject[id] == nil { imageByObject[id] = indexedImages }
            indexedImages += 1
        }
        return imageByObject[ObjectIdentifier(object)].map { images[$0] }
    }

    /// The same for objects in the order in which they changed: `next` finds them without a search.
    func image(of object: NSManagedObject, next: inout Int) -> Image? {
        guard next < images.count, images[next].object === object else { return image(of: object) }
        next += 1
        return images[next - 1]
    }

    /// The values of an object at the beginning, without a search: nil if the image at this index is not the object's.
    @inline(__always) func slots(of object: NSManagedObject, at index: Int) -> Row.Slots? {
        images.withUnsafeBufferPointer { images in
            guard index < images.count, images[index].object === object else { return nil }
            return images[index].row?.slots
        }
    }

    /// Whether the log has a change of any relationship of an object.
    func hasLinks(of object: NSManagedObject) -> Bool { !linkIndices(of: object).isEmpty }

    private func linkIndices(of object: NSManagedObject) -> [Int] {
        while indexedLinks < links.count {
            linksByObject[ObjectIdentifier(links[indexedLinks].owner), default: []].append(indexedLinks)
            indexedLinks += 1
        }
        return linksByObject[ObjectIdentifier(object)] ?? []
    }

    /// The changes of one object's relationship, in their order.
    func changes(of object: NSManagedObject, _ relationship: RelationshipLayout) -> [LinkChange.Change] {
        linkIndices(of: object).lazy.map { self.links[$0] }.filter { $0.relationship == relationship.index }.map(\.change)
    }
}

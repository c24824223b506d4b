import Foundation
import OpenCoreData

/// A tree of bookmarks: ordered relationships to the class itself, version hash modifiers.
///
/// Ported from `stores/ddg-bookmarks-v5/BookmarksModel 5.xcdatamodel`.
enum BookmarksPort {
    @Entity final class BookmarkEntity: NSManagedObject {
        #Index<BookmarkEntity>([\.uuid, \.isPendingDeletion], [\.url, \.isPendingDeletion], [\.isPendingDeletion])
        var isFolder: Bool
        @Attribute(.hashModifier("3")) var isPendingDeletion: Bool? = false
        var lastChildrenPayloadReceivedFromSync: String?
        var modifiedAt: Date?
        var title: String?
        @Attribute(.hashModifier("3")) var url: String?
        @Attribute(.hashModifier("3")) var uuid: String
        @Relationship(deleteRule: .cascade, inverse: \BookmarkEntity.parent) var children: [BookmarkEntity]
        @Relationship(inverse: \BookmarkEntity.favorites, originalName: "favoriteFolder") var favoriteFolders: Set<BookmarkEntity>
        var favorites: [BookmarkEntity]
        var parent: BookmarkEntity?
    }

    static let entities: [any TypedObject.Type] = [BookmarkEntity.self]
}

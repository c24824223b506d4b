import OpenCoreData

/// An object with a long text.
@Entity final class Letter: NSManagedObject {
    var number: Int64
    var text: String
}

/// An object with a unique key.
@Entity final class Item: NSManagedObject {
    @Attribute(.unique) var code: Int64
    var title: String
    var count: Int64
}

/// One end of a many-to-many relationship.
@Entity final class Post: NSManagedObject {
    var number: Int64
    var tags: Set<Tag>
}

/// The other end.
@Entity final class Tag: NSManagedObject {
    var number: Int64
    @Relationship(inverse: \Post.tags) var posts: Set<Post>
}

/// What has an ordered list.
@Entity final class Playlist: NSManagedObject {
    var name: String
    @Relationship(inverse: \Track.playlist) var tracks: [Track]
}

/// A member of an ordered list.
@Entity final class Track: NSManagedObject {
    var number: Int64
    var playlist: Playlist?
}

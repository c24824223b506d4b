import Foundation
import OpenCoreData

// The code of FromNSManagedToEntity.md that is not the old form: a test compares the two.

enum PortingExamples {
    class TwoLayerReel: NSManagedObject {
        @Managed private var cd_userRating: NSNumber?
        @Managed private var cd_duration: NSNumber?

        var userRating: Double? {
            get { cd_userRating?.doubleValue }
            set { cd_userRating = newValue.map { NSNumber(value: $0) } }
        }
    }

    @Entity final class Reel: NSManagedObject {
        @Attribute("cd_userRating") var userRating: Double?
        @Attribute("cd_duration") var duration: Int32
    }

    @Entity final class Folder: NSManagedObject {
        @Relationship("cd_owner") var owner: User
        @Relationship("cd_files", inverse: \File.folder) var files: Set<File>
    }

    @Entity final class User: NSManagedObject {
        @Relationship(inverse: \Folder.owner) var folders: Set<Folder>
    }

    @Entity final class File: NSManagedObject {
        var folder: Folder?
    }

    @Entity final class Message: NSManagedObject {
        @Relationship("cd_sender") private(set) var sender: Sender
    }

    @Entity final class Sender: NSManagedObject {
        @Relationship(inverse: \Message.sender) var messages: Set<Message>
    }

    @Entity final class Track: NSManagedObject {
        @Attribute("rawGenre") var genre: Genre?
        var recorded: Date?
        @Attribute(.transformable) var tags: NSArray?
    }

    static func dramas(in context: NSManagedObjectContext) throws -> [Track] {
        let tracks = try context.fetch(Track.self, where: \.genre == .drama, sortedBy: [Track.keys.recorded.ascending])
        return tracks
    }
}

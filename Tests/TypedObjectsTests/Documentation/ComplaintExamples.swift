import Foundation
import OpenCoreData

// The code in the README's table of complaints: a test looks for each piece of it in this file.

enum ComplaintExamples {
    @Entity final class Movie: NSManagedObject {
        var userRating: Double?
        var duration: Int32
        @Attribute("cd_length") var length: Int32?
        var scenes: [Scene]
        var genre: Genre = .drama
    }

    @Entity final class Scene: NSManagedObject {
        @Relationship(inverse: \Movie.scenes) var movie: Movie?
    }

    @Entity final class Folder: NSManagedObject {
        var owner: User
        @Relationship(inverse: \File.folder) var files: Set<File>
    }

    @Entity final class User: NSManagedObject {
        @Relationship(inverse: \Folder.owner) var folders: Set<Folder>
    }

    @Entity final class File: NSManagedObject {
        var folder: Folder?
    }

    @Entity final class Message: NSManagedObject {
        private(set) var sender: Sender
    }

    @Entity final class Sender: NSManagedObject {
        @Relationship(inverse: \Message.sender) var messages: Set<Message>
    }

    static func makeMessages(from sender: Sender, in context: NSManagedObjectContext) -> [Message] {
        let first = Message(context: context, sender: sender)
        let second = Message.makeInstance(in: context)
        return [first, second]
    }

    static func duration(of movie: Movie) -> Int32? {
        let known = movie.value(ifSet: \.duration)
        return known
    }

    static func insertedMovies(_ notification: Notification) -> [Movie] {
        let movies: [Movie] = notification.insertedManagedObjects()
        return movies
    }

    static func watch(_ context: NSManagedObjectContext, show: @escaping (Set<Movie>) -> Void) -> ManagedObjectObservation {
        context.observe(Movie.self) { changes in show(changes.inserted) }
    }
}

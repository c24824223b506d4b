import OpenCoreData

enum Genre: String {
    case drama, comedy, thriller
}

@Entity final class Director: NSManagedObject {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Movie.director) var movies: Set<Movie>
}

@Entity final class Movie: NSManagedObject {
    @Attribute(.unique) private(set) var imdbID: String
    var title: String
    var userRating: Double?
    @Attribute("length") var duration: Int32 = 0
    var genre: Genre = .drama
    var director: Director
    @Relationship(deleteRule: .cascade, inverse: \Scene.movie) var scenes: [Scene]
}

@Entity final class Scene: NSManagedObject {
    var summary: String
    var movie: Movie?
}

import OpenCoreData

enum Genre: String {
    case drama, comedy, western
}

enum AgeLimit: Int16 {
    case none = 0
    case youth = 12
    case adult = 18
}

@Entity final class Director: NSManagedObject {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Movie.director) var movies: Set<Movie>
}

@Entity class Movie: NSManagedObject {
    @Attribute(.unique) private(set) var imdbID: String
    var title: String
    var userRating: Double?
    @Attribute("length") var duration: Int32 = 0
    var genre: Genre = .drama
    var ageLimit: AgeLimit?
    var director: Director
    @Relationship(inverse: \Scene.movie) var scenes: [Scene]

    func correct(imdbID: String) { self.imdbID = imdbID }
}

@Entity("Sequel") final class SecondPart: Movie {
    var part: Int = 2
    var original: Movie?
}

@Entity final class Scene: NSManagedObject {
    var text: String = ""
    var movie: Movie?
}

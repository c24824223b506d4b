import Foundation
import OpenCoreData

@Entity final class Director: NSManagedObject {
    @Attribute(.length(1...40)) var name: String
    @Relationship(deleteRule: .cascade, inverse: \Film.director) var films: Set<Film>
}

@Entity final class Film: NSManagedObject {
    @Attribute(.unique) var code: String
    @Attribute(.length(1...20)) var title: String
    @Attribute(.range(0...10)) var rating: Double?
    var minutes: Int16 = 90
    var kind: Kind = .drama
    var secret: Secret?
    var seen: Date?
    var director: Director
    @Relationship(inverse: \Poster.film) var poster: Poster?
    @Relationship(inverse: \Tag.films) var tags: [Tag]

    enum Kind: String, CaseIterable {
        case drama, comedy
    }

    /// An enumeration that does not list its cases.
    enum Secret: Int16 {
        case open = 12_345
    }
}

@Entity final class Poster: NSManagedObject {
    var bytes: Data?
    var film: Film?
}

@Entity final class Tag: NSManagedObject {
    var text: String?
    var films: Set<Film>
}

let filmClasses: [any TypedObject.Type] = [Director.self, Film.self, Poster.self, Tag.self]

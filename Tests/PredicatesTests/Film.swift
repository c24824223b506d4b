import Foundation
import Predicates

/// A class as users write them, with its values by key and its key paths by name, for tests of `#Predicate` and evaluation.
final class Film: NSObject, KeyValueCoding {
    enum Genre: String, Codable, CaseIterable {
        case drama, comedy
        var label: String { rawValue.uppercased() }
    }

    var title = ""
    var subtitle: String?
    var duration = 0
    var rating: Double?
    var price = Decimal(0)
    var isSeen = false
    var isRented: Bool?
    var released = Date(timeIntervalSinceReferenceDate: 0)
    var code: UUID?
    var page: URL?
    var genre = Genre.drama
    var director: Artist?
    var cast: Set<Artist> = []
    var scenes: [Int] = []
    var tags: [String] = []
    var counts: [String: Int] = [:]
    /// Not stored.
    var cache = 0

    init(_ title: String = "", duration: Int = 0, rating: Double? = nil) {
        self.title = title
        self.duration = duration
        self.rating = rating
    }

    func value(forKey key: String) -> Any? {
        switch key {
        case "title": title
        case "subtitle": subtitle
        case "length": duration
        case "rating": rating
        case "price": price
        case "isSeen": isSeen
        case "isRented": isRented
        case "released": released
        case "code": code
        case "page": page
        case "genre": genre
        case "director": director
        case "cast": cast
        case "scenes": scenes
        case "tags": tags
        case "counts": counts
        default: nil
        }
    }

    /// The stored names, which a macro knows for real classes. `duration` has another one in the store.
    static var conversion: PredicateConversion {
        PredicateConversion(keyName: names) { type in
            type == Artist.self ? ["Artist", "Star"] : type == Star.self ? ["Star"] : nil
        }
    }

    private static func names(_ path: AnyKeyPath) -> String? {
        switch path {
        case \Film.title: "title"
        case \Film.subtitle: "subtitle"
        case \Film.duration: "length"
        case \Film.rating: "rating"
        case \Film.price: "price"
        case \Film.isSeen: "isSeen"
        case \Film.isRented: "isRented"
        case \Film.released: "released"
        case \Film.code: "code"
        case \Film.page: "page"
        case \Film.genre: "genre"
        case \Film.director: "director"
        case \Film.cast: "cast"
        case \Film.scenes: "scenes"
        case \Film.tags: "tags"
        case \Film.counts: "counts"
        case \Artist.name: "name"
        case \Artist.age: "age"
        case \Artist.films: "films"
        case \Artist.agent: "agent"
        case \Star.fee: "fee"
        default: nil
        }
    }
}

class Artist: NSObject, KeyValueCoding {
    var name: String?
    var age = 0
    var films: [Film] = []
    var agent: Artist?
    var entityName: String { "Artist" }

    init(_ name: String?, age: Int = 0) {
        self.name = name
        self.age = age
    }

    func value(forKey key: String) -> Any? {
        switch key {
        case "name": name
        case "age": age
        case "films": films
        case "agent": agent
        case "entity": ["name": entityName]
        default: nil
        }
    }
}

final class Star: Artist {
    var fee = 0.0
    override var entityName: String { "Star" }

    override func value(forKey key: String) -> Any? { key == "fee" ? fee : super.value(forKey: key) }
}

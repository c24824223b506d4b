import BenchmarkKit
import GRDB

/// A movie that is read and written by `Codable`.
struct CodableMovie: MovieRecord, Codable {
    var key: Int64
    var entity: Int64
    var version: Int64
    var year: Int32
    var duration: Int64
    var rating: Double
    var userRating: Double?
    var released: Double
    var imdbID: String
    var title: String
    var tagline: String
    var isColor: Bool
    var director: Int64?

    enum CodingKeys: String, CodingKey {
        case key = "Z_PK"
        case entity = "Z_ENT"
        case version = "Z_OPT"
        case year = "ZYEAR"
        case duration = "ZDURATION"
        case rating = "ZRATING"
        case userRating = "ZUSERRATING"
        case released = "ZRELEASED"
        case imdbID = "ZIMDBID"
        case title = "ZTITLE"
        case tagline = "ZTAGLINE"
        case isColor = "ZISCOLOR"
        case director = "ZDIRECTOR"
    }

    init(_ values: MovieValues, key: Int64, entity: Int64, director: Int64?) {
        self.key = key
        self.entity = entity
        version = 1
        year = values.year
        duration = values.duration
        rating = values.rating
        userRating = values.userRating
        released = values.released
        imdbID = values.imdbID
        title = values.title
        tagline = values.tagline
        isColor = values.isColor
        self.director = director
    }
}

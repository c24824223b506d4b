import BenchmarkKit
import GRDB

/// A movie whose columns are read by their names.
struct NamedMovie: MovieRecord {
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

    init(row: Row) {
        key = row["Z_PK"]
        entity = row["Z_ENT"]
        version = row["Z_OPT"]
        year = row["ZYEAR"]
        duration = row["ZDURATION"]
        rating = row["ZRATING"]
        userRating = row["ZUSERRATING"]
        released = row["ZRELEASED"]
        imdbID = row["ZIMDBID"]
        title = row["ZTITLE"]
        tagline = row["ZTAGLINE"]
        isColor = row["ZISCOLOR"]
        director = row["ZDIRECTOR"]
    }

    func encode(to container: inout PersistenceContainer) {
        container["Z_PK"] = key
        container["Z_ENT"] = entity
        container["Z_OPT"] = version
        container["ZYEAR"] = year
        container["ZDURATION"] = duration
        container["ZRATING"] = rating
        container["ZUSERRATING"] = userRating
        container["ZRELEASED"] = released
        container["ZIMDBID"] = imdbID
        container["ZTITLE"] = title
        container["ZTAGLINE"] = tagline
        container["ZISCOLOR"] = isColor
        container["ZDIRECTOR"] = director
    }
}

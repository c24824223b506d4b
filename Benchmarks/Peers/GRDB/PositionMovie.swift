import BenchmarkKit
import GRDB

/// A movie whose columns are read by their positions, the fastest style of GRDB.
struct PositionMovie: MovieRecord {
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
        key = row[0]
        entity = row[1]
        version = row[2]
        year = row[3]
        duration = row[4]
        rating = row[5]
        userRating = row[6]
        released = row[7]
        imdbID = row[8]
        title = row[9]
        tagline = row[10]
        isColor = row[11]
        director = row[12]
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

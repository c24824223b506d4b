import BenchmarkKit
import GRDB

/// A movie as users of GRDB write it, in one of its styles.
protocol MovieRecord: MovieRow, FetchableRecord, PersistableRecord {
    var version: Int64 { get set }
    var rating: Double { get set }

    init(_ values: MovieValues, key: Int64, entity: Int64, director: Int64?)
}

extension MovieRecord {
    static var databaseTableName: String { "ZMOVIE" }

    static var databaseSelection: [any SQLSelectable] {
        [
            "Z_PK", "Z_ENT", "Z_OPT", "ZYEAR", "ZDURATION", "ZRATING", "ZUSERRATING", "ZRELEASED", "ZIMDBID", "ZTITLE",
            "ZTAGLINE", "ZISCOLOR", "ZDIRECTOR",
        ].map { Column($0) }
    }
}

/// A person.
struct PersonRecord: Codable, FetchableRecord, TableRecord {
    static let databaseTableName = "ZPERSON"

    let key: Int64
    let name: String

    enum CodingKeys: String, CodingKey {
        case key = "Z_PK"
        case name = "ZNAME"
    }
}

import BenchmarkKit
import CBenchmarkSystem

/// A row of `ZMOVIE` as plain Swift values.
struct RawMovie: MovieRow {
    let key: Int64
    let entity: Int64
    let version: Int64
    let year: Int64
    let duration: Int64
    let rating: Double
    let userRating: Double?
    let released: Double
    let imdbID: String
    let title: String
    let tagline: String
    let isColor: Bool
    let director: Int64?

    static let columns = """
        Z_PK, Z_ENT, Z_OPT, ZYEAR, ZDURATION, ZRATING, ZUSERRATING, ZRELEASED, ZIMDBID, ZTITLE, ZTAGLINE, ZISCOLOR, ZDIRECTOR
        """

    /// Reads the current row of a statement that selects `columns`.
    init(_ statement: OpaquePointer) {
        key = sqlite3_column_int64(statement, 0)
        entity = sqlite3_column_int64(statement, 1)
        version = sqlite3_column_int64(statement, 2)
        year = sqlite3_column_int64(statement, 3)
        duration = sqlite3_column_int64(statement, 4)
        rating = sqlite3_column_double(statement, 5)
        userRating = sqlite3_column_type(statement, 6) == SQLITE_NULL ? nil : sqlite3_column_double(statement, 6)
        released = sqlite3_column_double(statement, 7)
        imdbID = Self.text(statement, 8)
        title = Self.text(statement, 9)
        tagline = Self.text(statement, 10)
        isColor = sqlite3_column_int64(statement, 11) != 0
        director = sqlite3_column_type(statement, 12) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, 12)
    }

    static func text(_ statement: OpaquePointer, _ column: Int32) -> String {
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: sqlite3_column_text(statement, column), count: count), as: UTF8.self)
    }
}

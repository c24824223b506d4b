/// A row of `ZMOVIE` as plain Swift values, for contenders without objects.
package protocol MovieRow {
    associatedtype Year: FixedWidthInteger

    var key: Int64 { get }
    var version: Int64 { get }
    var year: Year { get }
    var duration: Int64 { get }
    var rating: Double { get }
    var userRating: Double? { get }
    var released: Double { get }
    var imdbID: String { get }
    var title: String { get }
    var tagline: String { get }
    var isColor: Bool { get }
    var director: Int64? { get }
}

extension MovieRow {
    /// Adds every attribute.
    @inlinable
    package func add(to checksum: inout Checksum) {
        checksum.add(year)
        checksum.add(duration)
        checksum.add(rating)
        checksum.add(userRating)
        checksum.add(released)
        checksum.add(imdbID)
        checksum.add(title)
        checksum.add(tagline)
        checksum.add(isColor)
    }

    /// Adds the whole row, texts to the last byte, so that two files can be compared.
    @inlinable
    package func addContent(to checksum: inout Checksum) {
        add(to: &checksum)
        checksum.add(key &* 31 &+ version)
        checksum.add((director ?? 0) &* key)
        for text in [imdbID, title, tagline] { checksum.addContent(text) }
    }
}

import BenchmarkKit
import Foundation
import OpenCoreData

/// A movie as the library's users write it.
@Entity final class Movie: NSManagedObject {
    var year: Int32
    var duration: Int64
    var rating: Double
    var userRating: Double?
    var released: Date
    var imdbID: String
    var title: String
    var tagline: String
    var isColor: Bool
    var director: Person?
}

extension Movie {
    /// Inserts a movie by the initializer that the macro wrote.
    static func make(_ values: MovieValues, director: Person?, in context: NSManagedObjectContext) -> Movie {
        Movie(
            context: context, year: values.year, duration: values.duration, rating: values.rating,
            released: Date(timeIntervalSinceReferenceDate: values.released), imdbID: values.imdbID, title: values.title,
            tagline: values.tagline, isColor: values.isColor, userRating: values.userRating, director: director)
    }

    /// Reads every attribute.
    func add(to checksum: inout Checksum) {
        checksum.add(year)
        checksum.add(duration)
        checksum.add(rating)
        checksum.add(userRating)
        checksum.add(released.timeIntervalSinceReferenceDate)
        checksum.add(imdbID)
        checksum.add(title)
        checksum.add(tagline)
        checksum.add(isColor)
    }
}

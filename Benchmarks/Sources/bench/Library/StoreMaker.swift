import Foundation
import OpenCoreData

/// Makes the files that workloads start from, with the library, so that every contender works on its layout.
struct StoreMaker {
    let size: DatasetSize

    func prepare(_ stores: PreparedStores) throws {
        let data = Dataset(size: size)
        for url in [stores.people, stores.full] {
            let context = try LibraryContender.open(url).viewContext
            let people = data.people.map { Person(context: context, name: $0) }
            try context.save()
            guard url == stores.full else { continue }
            for values in data.movies { _ = Movie.make(values, director: values.director.map { people[$0] }, in: context) }
            try context.save()
        }
        try makeShelves(stores.shelves)
        for url in [stores.people, stores.full, stores.shelves] {
            // So that the file can be copied without its log.
            try RawDatabase(path: url.path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    private func makeShelves(_ url: URL) throws {
        let context = try LibraryContender.openShelves(url).viewContext
        let shelves = (0..<size.people).map { Shelf(context: context, name: "\($0)") }
        for number in 0..<size.movies {
            Book(context: context, number: Int64(number)).shelf = shelves[number % shelves.count]
        }
        try context.save()
    }
}

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
        for url in [stores.people, stores.full] {
            // So that the file can be copied without its log.
            try RawDatabase(path: url.path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }
}

import BenchmarkKit
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
        try makeVariety(stores.variety)
        for url in [stores.people, stores.full, stores.shelves, stores.variety] {
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

    private func makeVariety(_ url: URL) throws {
        let data = VarietyData(size: size)
        let context = try LibraryContender.openVariety(url).viewContext
        for values in data.sheets { Sheet.makeInstance(in: context).set(values) }
        for (number, text) in data.letters.enumerated() { _ = Letter(context: context, number: Int64(number), text: text) }
        for code in 0..<data.items { _ = Item(context: context, code: Int64(code), title: "Item \(code)", count: 0) }
        let tags = (0..<data.tags).map { Tag(context: context, number: Int64($0)) }
        for number in 0..<data.posts {
            Post(context: context, number: Int64(number)).tags = [tags[number % tags.count], tags[(number + 1) % tags.count]]
        }
        let playlist = Playlist(context: context, name: "All")
        playlist.tracks = (0..<data.tracks).map { Track(context: context, number: Int64($0)) }
        try context.save()
    }
}

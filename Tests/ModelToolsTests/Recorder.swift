import DataModel
import Foundation
import ModelTools
import ObjectGraph
import TestSupport
import Testing

/// Keeps what a command writes.
@MainActor final class Recorder: ToolOutput {
    var width: Int?
    let style = TextStyle.plain
    private(set) var lines: [String] = []
    private(set) var remarks: [String] = []

    var text: String { lines.joined(separator: "\n") }
    var remarkText: String { remarks.joined(separator: "\n") }

    func line(_ text: String) { lines.append(text) }
    func remark(_ text: String) { remarks.append(text) }
    func progress(_ text: String) {}

    /// Runs a command line.
    static func run(_ arguments: String..., width: Int? = nil) -> (status: ToolStatus, output: Recorder) {
        let recorder = Recorder()
        recorder.width = width
        return (Tool.run(arguments, recorder), recorder)
    }
}

/// A small store of directors and movies, with its model.
@MainActor struct Cinema {
    let folder: TemporaryFolder
    let model: URL
    let store: URL

    /// The classes are those of a module that is not there: other tests of the process have a class `Director`.
    static let contents = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
            <entity name="Director" representedClassName="Cinema.Director" syncable="YES">
                <attribute name="name" attributeType="String"/>
                <relationship name="movies" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Movie" inverseName="director" inverseEntity="Movie"/>
            </entity>
            <entity name="Movie" representedClassName="Cinema.Movie" syncable="YES">
                <attribute name="minutes" attributeType="Integer 32" defaultValueString="0" usesScalarValueType="YES"/>
                <attribute name="poster" optional="YES" attributeType="Binary"/>
                <attribute name="rating" optional="YES" attributeType="Double" usesScalarValueType="NO"/>
                <attribute name="seen" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
                <attribute name="tags" optional="YES" attributeType="Transformable" valueTransformerName="NoSuchTransformer" customClassName="UIColor"/>
                <attribute name="title" attributeType="String"/>
                <relationship name="director" maxCount="1" deletionRule="Nullify" destinationEntity="Director" inverseName="movies" inverseEntity="Director"/>
                <relationship name="sequels" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES" destinationEntity="Movie" inverseName="sequelOf" inverseEntity="Movie"/>
                <relationship name="sequelOf" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Movie" inverseName="sequels" inverseEntity="Movie"/>
            </entity>
        </model>
        """

    init() throws {
        folder = try TemporaryFolder()
        model = try folder.write(Self.contents, to: "Cinema.xcdatamodel/contents").deletingLastPathComponent()
        store = folder.file("Cinema.sqlite")
        let (coordinator, context) = try open()
        func movie(_ title: String, _ minutes: Int32, _ rating: Double?, _ director: NSManagedObject) -> NSManagedObject {
            let movie = NSEntityDescription.insertNewObject(forEntityName: "Movie", into: context)
            movie.setValue(title, forKey: "title")
            movie.setValue(NSNumber(value: minutes), forKey: "minutes")
            movie.setValue(rating.map { NSNumber(value: $0) }, forKey: "rating")
            movie.setValue(director, forKey: "director")
            return movie
        }
        func director(_ name: String) -> NSManagedObject {
            let director = NSEntityDescription.insertNewObject(forEntityName: "Director", into: context)
            director.setValue(name, forKey: "name")
            return director
        }
        let directors = [director("Akira Kurosawa"), director("小津 安二郎")]
        let movies = [
            movie("Ran", 162, 8.2, directors[0]), movie("Ikiru", 143, nil, directors[0]),
            movie("Tokyo\u{202E}Story\n", 136, 0.1, directors[1]),
        ]
        movies[0].setValue(Date(timeIntervalSinceReferenceDate: 667_100_904.697671), forKey: "seen")
        movies[1].setValue(Data([1, 2, 3]), forKey: "poster")
        movies[0].setValue(NSOrderedSet(array: [movies[2], movies[1]]), forKey: "sequels")
        try context.obtainPermanentIDs(for: directors + movies)
        try context.save()
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// Opens the store for writing.
    func open() throws -> (NSPersistentStoreCoordinator, NSManagedObjectContext) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try NSManagedObjectModel(readingModelAt: model))
        try coordinator.addPersistentStore(type: .sqlite, configuration: nil, at: store, options: nil)
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        return (coordinator, context)
    }
}
